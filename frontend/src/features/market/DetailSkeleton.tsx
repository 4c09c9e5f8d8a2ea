import { PriceNote } from '@/shared/ui/PriceStatus';
import { Bone } from '@/shared/ui/Skeleton';

// In the layout of the screen below its bar: name, price, change, chart, periods and four lines of facts. `boot.css` has the
// same shapes for the static page.
const SHAPES: readonly { topPx: number; width: number | string; height: number; radius?: number }[] = [
  { topPx: 4, width: 160, height: 32, radius: 16 },
  { topPx: 48, width: 200, height: 38 },
  { topPx: 90, width: 140, height: 20 },
  { topPx: 194, width: '100%', height: 200, radius: 16 },
  { topPx: 442, width: '60%', height: 48, radius: 12 },
  { topPx: 534, width: 60, height: 24 },
  { topPx: 572, width: '100%', height: 20 },
  { topPx: 604, width: '100%', height: 20 },
  { topPx: 636, width: '100%', height: 20 },
];
// Down to the end of the facts.
const HEIGHT_PX = 712;

/** The skeleton of the detail screen, with what is known before anything is loaded. */
export function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" style={{ position: 'relative', height: HEIGHT_PX, margin: '0 var(--gutter)' }}>
        {SHAPES.map(({ topPx, ...shape }) => (
          <div key={topPx} style={{ position: 'absolute', inset: `${topPx}px 0 auto` }}>
            <Bone {...shape} />
          </div>
        ))}
      </div>
      <PriceNote />
    </div>
  );
}
