import { useState } from 'react';
import type { MarketTrend } from '@/shared/api/types';
import { Tabs } from '@/shared/ui/Tabs';
import { trendCopy } from './copy';
import { RankedItems } from './RankedItems';
import styles from './Trend.module.css';
import type { RankedBy } from './useShownOrder';

type Ranking = keyof typeof trendCopy.rankings;

const RANKINGS = (Object.keys(trendCopy.rankings) as Ranking[]).map((value) => ({ value, label: trendCopy.rankings[value] }));
const PANEL_ID = 'trend-ranking';
const RANKED_BY: Record<Ranking, RankedBy> = { gainers: 'rise', losers: 'fall', value: null, volume: null };

/** The first ten of a market, by what the person chooses. */
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
