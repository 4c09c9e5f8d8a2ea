import { type ComponentType, lazy, Suspense } from 'react';
import { useClosedVenues, type Venue } from '@/shared/realtime/connection';
import type { OpeningHoursProps } from './OpeningHours';

const OpeningHours = lazy<ComponentType<OpeningHoursProps>>(() =>
  // Without the sentence the label of a closed market still says the most important part.
  import(/* webpackChunkName: "closed-market" */ './OpeningHours').catch(() => ({ default: () => null })),
);

/** Why prices stand still: which of the venues are closed, and when they open. Nothing while all are open. */
export function ClosedNote({ venues, className }: { venues: readonly Venue[]; className?: string | undefined }) {
  const closed = useClosedVenues(venues);
  if (closed.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <OpeningHours closed={closed} isAll={closed.length === venues.length} className={className} />
    </Suspense>
  );
}
