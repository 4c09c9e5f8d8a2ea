import { nav } from '@/shared/copy/copy.shared';
import { RowsSkeleton } from '@/shared/ui/Skeleton';

const QUICK_WAYS = 4;
const ROWS = 5;

/** The home screen while it loads: the same shapes as the static page (`boot.css`). */
export function HomeSkeleton() {
  return (
    <div aria-busy="true">
      <div className="boot-home" aria-hidden="true">
        <p className="boot-bar">{nav.home}</p>
        <i />
        <i />
        <i />
        <i />
        <i />
        <p>
          {Array.from({ length: QUICK_WAYS }, (_, way) => (
            <i key={way} />
          ))}
        </p>
      </div>
      <RowsSkeleton rows={ROWS} />
    </div>
  );
}
