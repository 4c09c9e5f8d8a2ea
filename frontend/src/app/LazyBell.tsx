import { lazy, Suspense } from 'react';

const Bell = lazy(() => import(/* webpackChunkName: "notices" */ '@/features/notification/inbox/Bell').then(({ Bell }) => ({ default: Bell })));

/** The bell of a top bar, whose code is not worth waiting for; its place is kept. */
export function LazyBell() {
  return (
    <Suspense fallback={<span style={{ width: 44, height: 44 }} />}>
      <Bell />
    </Suspense>
  );
}
