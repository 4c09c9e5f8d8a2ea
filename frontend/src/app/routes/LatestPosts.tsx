import { lazy, Suspense } from 'react';
import { WhenNear } from './WhenNear';

const ItemPosts = lazy(() => import(/* webpackChunkName: "community-teaser" */ '@/features/community/teaser/ItemPosts'));

/** The height of the section with three posts, so that the page keeps its length. */
const SECTION_PX = 400;

/** What members write about an instrument, loaded when it comes near the view. */
export function LatestPosts({ code, name }: { code: string; name: string }) {
  const space = <div style={{ height: SECTION_PX }} />;
  return (
    <WhenNear heightPx={SECTION_PX}>
      <Suspense fallback={space}>
        <ItemPosts code={code} name={name} />
      </Suspense>
    </WhenNear>
  );
}
