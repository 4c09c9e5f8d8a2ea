import { useQuery } from '@tanstack/react-query';
import type { MarketTrend, MarketType } from '@/shared/api/types';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { Breadth } from './Breadth';
import { trendCopy } from './copy';
import { IndexCard } from './IndexCard';
import { unitOfMarket } from './indexText';
import { Rankings } from './Rankings';
import { Sectors } from './Sectors';
import { TrendSkeleton } from './TrendSkeleton';
import { marketTrendQuery } from './trendQueries';

/** One market: its index, how many rose and fell, who leads, and how its sectors do. */
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
