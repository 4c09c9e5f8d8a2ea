import { type ReactNode, useId } from 'react';
import { INSTRUMENT_KINDS, type InstrumentKind } from '@/shared/api/assets';
import { Tabs } from '@/shared/ui/Tabs';
import { likeCopy } from './copy';
import { LikedItems, LikedProducts, type ProductRowOf } from './LikedItems';

export type LikedTab = InstrumentKind | 'product';
export const LIKED_TABS: readonly LikedTab[] = [...INSTRUMENT_KINDS, 'product'];

const OPTIONS = LIKED_TABS.map((value) => ({ value, label: likeCopy.kinds[value] }));

interface LikedTabsProps {
  memberSid: number;
  tab: LikedTab;
  onTab: (tab: LikedTab) => void;
  productRowOf: ProductRowOf;
  /** Where to go when there are none. */
  browseOf: (tab: LikedTab) => ReactNode;
}

/** The member's likes by kind. */
export function LikedTabs({ memberSid, tab, onTab, productRowOf, browseOf }: LikedTabsProps) {
  const panelId = useId();
  return (
    <>
      <Tabs look="chips" label={likeCopy.tabs} options={OPTIONS} value={tab} onChange={onTab} panelId={panelId} />
      <div id={panelId} role="tabpanel" aria-label={likeCopy.kinds[tab]}>
        {tab === 'product' ? (
          <LikedProducts memberSid={memberSid} rowOf={productRowOf} browse={browseOf(tab)} />
        ) : (
          <LikedItems key={tab} kind={tab} browse={browseOf(tab)} />
        )}
      </div>
    </>
  );
}
