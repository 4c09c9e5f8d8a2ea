import { useRef, useState } from 'react';
import type { MarketTrend, Item } from '@/shared/api/types';
import { Tabs } from '@/shared/ui/Tabs';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import { trendCopy } from './copy';
import styles from './Trend.module.css';
import { type RankedBy, useShownOrder } from './useShownOrder';

type Ranking = keyof typeof trendCopy.rankings;

const RANKINGS = (Object.keys(trendCopy.rankings) as Ranking[]).map((value) => ({ value, label: trendCopy.rankings[value] }));
const PANEL_ID = 'trend-ranking';
const RANKED_BY: Record<Ranking, RankedBy> = { gainers: 'rise', losers: 'fall', value: null, volume: null };

/** The top ten of a market by the chosen ranking. */
export function Rankings({ trend }: { trend: MarketTrend }) {
  const [ranking, setRanking] = useState<Ranking>('gainers');
  const items = trend[ranking];
  return (
    <section className={styles.section} aria-label={trendCopy.ranking}>
      <Tabs look="chips" label={trendCopy.ranking} options={RANKINGS} value={ranking} onChange={setRanking} panelId={PANEL_ID} />
      <div id={PANEL_ID} role="tabpanel" aria-label={trendCopy.rankings[ranking]}>
        {items.length === 0 ? (
          <p className={styles.none}>{trendCopy.noRanking}</p>
        ) : (
          <RankedItems key={ranking} items={items} by={RANKED_BY[ranking]} />
        )}
      </div>
    </section>
  );
}

/** Ranked instruments, reordered every few seconds. */
function RankedItems({ items, by }: { items: readonly Item[]; by: RankedBy }) {
  const list = useRef<HTMLOListElement>(null);
  const shown = useShownOrder(items, by, list);
  return (
    <ol ref={list}>
      {shown.map((item, index) => (
        <ListRow key={item.isuSrtCd}>
          <span className={styles.position}>{index + 1}</span>
          <ItemRow item={item} to={itemHref(item)} />
        </ListRow>
      ))}
    </ol>
  );
}
