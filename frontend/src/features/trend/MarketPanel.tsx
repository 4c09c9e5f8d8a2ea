import { useQuery } from '@tanstack/react-query';
import type { MarketTrend, MarketType } from '@/shared/api/types';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { unitless } from '@/shared/format/number';
import { ShareBar } from '@/shared/ui/ShareBar';
import { trendCopy } from './copy';
import { IndexCard } from './IndexCard';
import { unitOfMarket } from './indexText';
import { Rankings } from './Rankings';
import { Sectors } from './Sectors';
import { TrendSkeleton } from './TrendSkeleton';
import { marketTrendQuery } from './trendQueries';
import styles from './Trend.module.css';

/** One market: index, breadth, rankings and sectors. */
export function MarketPanel({ type }: { type: MarketType }) {
  const { data, error, refetch } = useQuery(marketTrendQuery(type));
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <TrendSkeleton />;
  if (isEmpty(data)) return <EmptyState title={trendCopy.empty} />;
  return (
    <>
      {data.index && <IndexCard index={data.index} asOf={data.asOf} unit={unitOfMarket(type)} />}
      <Breadth {...data.breadth} />
      <Rankings trend={data} />
      <Sectors sectors={data.sectors} />
    </>
  );
}

function isEmpty({ index, gainers, losers, volume, value, breadth }: MarketTrend): boolean {
  const rows = gainers.length + losers.length + volume.length + value.length;
  return !index && rows === 0 && breadth.up + breadth.flat + breadth.down === 0;
}

/** The number of rising, unchanged and falling instruments, as a bar and in words. */
function Breadth({ up, flat, down }: { up: number; flat: number; down: number }) {
  if (up + flat + down === 0) return null;
  const parts = [
    { name: 'up', count: up, text: trendCopy.up(unitless(up)) },
    { name: 'flat', count: flat, text: trendCopy.flat(unitless(flat)) },
    { name: 'down', count: down, text: trendCopy.down(unitless(down)) },
  ] as const;
  return (
    <section className={styles.breadth} aria-label={trendCopy.breadth}>
      <ShareBar parts={parts.map(({ name, count }) => ({ name, size: count, look: styles[name] }))} />
      <ul className={styles.legend}>
        {parts.map(({ name, text }) => (
          <li key={name} className={`tone-${name}`}>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
