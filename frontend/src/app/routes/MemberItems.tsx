import { type ComponentProps, lazy, Suspense } from 'react';
import { RowsSkeleton } from '@/shared/ui/Skeleton';

// The lists open on what anybody may see; a member's own selections come when their chip is tapped.
const Held = lazy(() => import(/* webpackChunkName: "member-items" */ './HeldList'));
const Liked = lazy(() =>
  import(/* webpackChunkName: "member-items" */ '@/features/like/LikedItems').then(({ LikedItems }) => ({ default: LikedItems })),
);

const SKELETON_ROWS = 6;

/** What the member owns of a category, inside its list. */
export function HeldItems(props: ComponentProps<typeof Held>) {
  return (
    <Suspense fallback={<RowsSkeleton rows={SKELETON_ROWS} />}>
      <Held {...props} />
    </Suspense>
  );
}

/** What the member likes of a kind, inside its list. */
export function LikedItems(props: ComponentProps<typeof Liked>) {
  return (
    <Suspense fallback={<RowsSkeleton rows={SKELETON_ROWS} />}>
      <Liked {...props} />
    </Suspense>
  );
}
