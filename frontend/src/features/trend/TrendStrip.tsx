import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useCompetes } from '@/shared/api/memberQuery';
import type { MarketIndex, MarketType } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { shownPct, unsignedPct } from '@/shared/format/pct';
import { paths } from '@/shared/paths';
import { Section, SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { ToneText } from '@/shared/ui/ToneText';
import { useSeen } from '@/shared/ui/useSeen';
import { trendCopy } from './copy';
import { indexText, unitOfMarket } from './indexText';
import { trendHref } from './trendHref';
import { goldTrendQuery, marketTrendQuery } from './trendQueries';
import styles from './TrendStrip.module.css';

type Shown = MarketType | 'GOLD';

const MARKETS: readonly MarketType[] = ['KOSPI', 'KOSDAQ', 'GLOBAL', 'COIN'];
const ALL: readonly Shown[] = [...MARKETS, 'GOLD'];
/** What competitions do not offer. */
const NO_SHARES: readonly Shown[] = ['COIN', 'GOLD'];

/**
 * One figure per market, side by side. A market is requested once it is in view, because a reply contains much more than the
 * figure; failed ones are left out.
 */
export function TrendStrip() {
  const { isSeen, refOf } = useSeen(ALL);
  const markets = useQueries({ queries: MARKETS.map((type) => ({ ...marketTrendQuery(type), enabled: isSeen(type) })) });
  const gold = useQuery({ ...goldTrendQuery(), enabled: isSeen('GOLD') });
  const all = [...markets, gold];
  const places = ALL.map((type, place) => ({ type, isPending: all[place]?.isPending === true, index: all[place]?.data?.index ?? null }));
  const competes = useCompetes();
  const offered = places.filter(({ type }) => !competes || !NO_SHARES.includes(type));
  const shown = offered.filter(({ isPending, index }) => isPending || index !== null);
  const retry = () => {
    for (const query of all) if (query.isError) void query.refetch();
  };
  return (
    <Section title={trendCopy.screen} all={paths.marketTrend}>
      {shown.length === 0 && all.some(({ isError }) => isError) && <SectionError onRetry={retry} />}
      {shown.length > 0 && (
        <ul className={styles.strip}>
          {shown.map(({ type, index }) => (
            <li key={type} ref={refOf(type)} className={styles.slot} aria-hidden={index === null || undefined}>
              {index ? <IndexLink type={type} index={index} /> : <Bone width={132} height={96} radius={16} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function IndexLink({ type, index }: { type: Shown; index: MarketIndex }) {
  const lateSince = index.delayed ? parseServerTime(index.asOf) : null;
  return (
    <Link to={trendHref(type)} className={styles.card}>
      <span className={styles.name}>{index.name}</span>
      <span className={styles.value}>{indexText(index.value, unitOfMarket(type))}</span>
      <span className={styles.change}>
        <ToneText value={shownPct(index.rate)}>{unsignedPct(index.rate)}</ToneText>
      </span>
      {lateSince && (
        <span className={styles.late}>
          <time dateTime={lateSince.toISOString()}>{trendCopy.asOf(kstTime(lateSince))}</time>
          <span>{trendCopy.delayed}</span>
        </span>
      )}
    </Link>
  );
}
