import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { INSTRUMENT_KINDS, type InstrumentKind } from '@/shared/api/assets';
import { useCompetes } from '@/shared/api/memberQuery';
import { popularItemsQuery } from '@/shared/api/popularItems';
import { useMemberSid } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import { SectionError } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { Tabs } from '@/shared/ui/Tabs';
import { homeCopy } from './copy';
import styles from './PopularTabs.module.css';

const KINDS = INSTRUMENT_KINDS.map((value) => ({ value, label: homeCopy.kinds[value] }));
/** What competitions offer. */
const SHARES = KINDS.filter(({ value }) => isShares(value));
const PANEL_ID = 'popular-of-kind';

interface PopularTabsProps {
  /** The number of rows per kind. */
  shown: number;
  /** A control next to each instrument, such as its heart. */
  controlOf?: (item: Item) => ReactNode;
}

/** The most viewed and traded instruments by kind. */
export function PopularTabs({ shown, controlOf }: PopularTabsProps) {
  const competes = useCompetes();
  const [chosen, setKind] = useState<InstrumentKind>('stock');
  const kind = competes && !isShares(chosen) ? 'stock' : chosen;
  return (
    <>
      <Tabs look="chips" label={homeCopy.popularKinds} options={competes ? SHARES : KINDS} value={kind} onChange={setKind} panelId={PANEL_ID} />
      <div id={PANEL_ID} role="tabpanel" aria-label={homeCopy.kinds[kind]}>
        <PopularRows kind={kind} shown={shown} {...(controlOf && { controlOf })} />
      </div>
    </>
  );
}

function PopularRows({ kind, shown, controlOf }: PopularTabsProps & { kind: InstrumentKind }) {
  const memberSid = useMemberSid();
  const { data, error, refetch } = useQuery(popularItemsQuery(kind, memberSid));
  if (!data) {
    if (error) return <SectionError onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={Math.min(shown, SKELETON_ROWS)} />;
  }
  if (data.length === 0) return <p className={styles.none}>{homeCopy.noPopular}</p>;
  return (
    <ul>
      {data.slice(0, shown).map((item) => (
        <ListRow key={item.isuSrtCd}>
          <ItemRow item={item} to={itemHref(item)} control={controlOf?.(item)} />
        </ListRow>
      ))}
    </ul>
  );
}

function isShares(kind: InstrumentKind): boolean {
  return kind === 'stock' || kind === 'etf';
}

const SKELETON_ROWS = 6;
