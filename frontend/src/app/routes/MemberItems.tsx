import { type ComponentProps, lazy, Suspense } from 'react';
import { RowsSkeleton } from '@/shared/ui/Skeleton';

// Lists open with public rows; a member's own selections load when their chip is tapped.
const Held = lazy(() => import(/* webpackChunkName: "member-items" */ './HeldList'));
const Liked = lazy(() =>
  import(/* webpackChunkName: "member-items" */ '@/features/like/LikedItems').then(({ LikedItems }) => ({ default: LikedItems })),
);

const SKELETON_ROWS = 6;

/** The holdings of a category, within its list. */
export function HeldItems(props: ComponentProps<typeof Held>) {
  return (
    <Suspense fallback={<RowsSkeleton rows={SKELETON_ROWS} />}>
      <Held {...props} />
    </Suspense>
  );
}

/** The likes of a kind, within its list. */
export function LikedItems(props: ComponentProps<typeof Liked>) {
  return (
    <Suspense fallback={<RowsSkeleton rows={SKELETON_ROWS} />}>
      <Liked {...props} />
    </Suspense>
  );
}
