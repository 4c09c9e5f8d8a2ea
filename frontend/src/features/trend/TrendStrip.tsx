import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { MarketIndex, MarketType } from '@/shared/api/types';
import { shownPct, signedPct } from '@/shared/format/pct';
import { paths } from '@/shared/paths';
import { Section, SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { ToneText } from '@/shared/ui/ToneText';
import { trendCopy } from './copy';
import { indexText, unitOfMarket } from './indexText';
import { trendHref } from './trendHref';
import { goldTrendQuery, marketTrendQuery } from './trendQueries';
import styles from './TrendStrip.module.css';

const MARKETS: readonly MarketType[] = ['KOSPI', 'KOSDAQ', 'GLOBAL', 'COIN'];

/** The markets in one figure each, side by side. A market that cannot be loaded is left out. */
export function TrendStrip() {
  const markets = useQueries({ queries: MARKETS.map((type) => marketTrendQuery(type)) });
  const gold = useQuery(goldTrendQuery());
  const all = [...markets, gold];
  const cards: Card[] = MARKETS.flatMap((type, place) => cardOf(type, markets[place]?.data?.index));
  cards.push(...cardOf('GOLD', gold.data?.index));
  const retry = () => {
    for (const query of all) if (query.isError) void query.refetch();
  };
  return (
    <Section title={trendCopy.screen} all={paths.marketTrend}>
      {cards.length === 0 && all.every(({ isError }) => isError) && <SectionError onRetry={retry} />}
      {cards.length === 0 && all.some(({ isPending }) => isPending) && <StripSkeleton />}
      {cards.length > 0 && (
        <ul className={styles.strip}>
          {cards.map(({ type, index }) => (
            <li key={type} className={styles.slot}>
              <Link to={trendHref(type)} className={styles.card}>
                <span className={styles.name}>{index.name}</span>
                <span className={styles.value}>{indexText(index.value, unitOfMarket(type))}</span>
                <span className={styles.change}>
                  <ToneText value={shownPct(index.rate)}>{signedPct(index.rate)}</ToneText>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

interface Card {
  type: MarketType | 'GOLD';
  index: MarketIndex;
}

function cardOf(type: Card['type'], index: MarketIndex | null | undefined): Card[] {
  return index ? [{ type, index }] : [];
}

function StripSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.strip}>
        {MARKETS.map((market) => (
          <div key={market} className={styles.slot}>
            <Bone width={132} height={96} radius={16} />
          </div>
        ))}
      </div>
    </div>
  );
}
