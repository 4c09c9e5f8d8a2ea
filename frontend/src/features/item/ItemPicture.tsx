import type { ReactNode } from 'react';
import { SPROUT_LEAVES } from '@/shared/ui/Worn';

interface Picture {
  /** The badge palette it is drawn in, which has a light and a dark side. */
  palette: number;
  drawing: ReactNode;
}

const POUCH = <path d="M22 20h20l-3 6c8 5 11 11 11 17 0 7-6 11-18 11s-18-4-18-11c0-6 3-12 11-17zm3 6h14M24 12c3-2 5 1 8-1s5 1 8-1l2 10H22z" />;
const TREE = <path d="M20 46V34m0 0-7 0 7-12 7 12zm22 12V28m0 0-9 0 9-16 9 16z" />;
const FACE = (
  <>
    <circle cx="32" cy="28" r="6" />
    <path d="M21 44a11 11 0 0 1 22 0" />
  </>
);
const PLATE = <path d="M10 22h44v20H10z" />;

const PICTURES: Readonly<Record<string, Picture>> = {
  'pack-seed': { palette: 2, drawing: <>{POUCH}<path d="M32 47c-4-3-4-9 0-12 4 3 4 9 0 12z" /></> },
  'pack-sprout': { palette: 3, drawing: <>{POUCH}<path d="M32 48V38m0 2c-1-4-4-5-7-5 0 4 3 6 7 5zm0-2c1-4 4-5 7-5 0 4-3 6-7 5z" /></> },
  'pack-fruit': { palette: 8, drawing: <>{POUCH}<circle cx="32" cy="42" r="6" /><path d="M32 36c0-2 1-3 3-4" /></> },
  'streak-freeze': { palette: 5, drawing: <path d="M32 10 14 16v14c0 12 8 19 18 24 10-5 18-12 18-24V16zM32 22v20M23 27l18 10M41 27 23 37" /> },
  'season-ticket': { palette: 7, drawing: <path d="M10 20h44v8a4 4 0 0 0 0 8v8H10v-8a4 4 0 0 0 0-8zM39 28a8 8 0 1 0 1 6m0-10v5h-5" /> },
  'theme-forest': { palette: 3, drawing: <>{TREE}<path d="M8 46h48" /></> },
  'theme-sea': { palette: 4, drawing: <path d="M8 28c6-6 10-6 16 0s10 6 16 0 10-6 16 0M8 40c6-6 10-6 16 0s10 6 16 0 10-6 16 0" /> },
  'theme-sunset': { palette: 2, drawing: <path d="M8 42h48M18 50h28M20 42a12 12 0 0 1 24 0M32 16v6M14 24l4 4M50 24l-4 4" /> },
  'theme-night': { palette: 6, drawing: <path d="M40 42A16 16 0 0 1 24 16a18 18 0 1 0 26 24 16 16 0 0 1-10 2zM44 14v8m-4-4h8M52 28v4m-2-2h4" /> },
  'frame-sprout': { palette: 3, drawing: <>{FACE}<circle cx="32" cy="33" r="21" /><path d={SPROUT_LEAVES} /></> },
  'frame-wave': { palette: 5, drawing: <>{FACE}<path d="M32 10q6-5 9 2 8-1 8 6 7 4 4 11 4 7-3 11 0 8-8 7-4 6-10 3-6 3-10-3-8 1-8-7-7-4-3-11-3-7 4-11 0-7 8-6 3-7 9-2z" /></> },
  'frame-gold': { palette: 8, drawing: <>{FACE}<circle cx="32" cy="33" r="19" /><circle cx="32" cy="33" r="24" /><path d="m32 4 3 5h-6z" /></> },
  'frame-diamond': { palette: 9, drawing: <>{FACE}<path d="M32 8 54 20v26L32 58 10 46V20zM27 8h10l-5 7zM10 28l5 5-5 5zM54 28l-5 5 5 5z" /></> },
  'plate-wood': { palette: 2, drawing: <>{PLATE}<path d="M16 28c8-3 14 3 20 0s8-2 12 0M16 36c6 2 12-3 18 0s10 1 14-1" /></> },
  'plate-first-step': { palette: 4, drawing: <>{PLATE}<path d="M20 38c-3-5-1-10 2-10s4 4 2 10zM34 36c-3-5-1-10 2-10s4 4 2 10zM44 38h4" /></> },
  'plate-opening': { palette: 7, drawing: <>{PLATE}<path d="m32 25 2 5h5l-4 3 2 5-5-3-5 3 2-5-4-3h5zM16 32h4m24 0h4" /></> },
};

const UNKNOWN: Picture = { palette: 1, drawing: <path d="M14 24h36v28H14zm-3-8h42v8H11zm21 0v36M32 16c-8 0-12-10-5-10 4 0 5 6 5 10zm0 0c8 0 12-10 5-10-4 0-5 6-5 10z" /> };

/** The picture of an item by its name, in the colours of the theme. Decorative: the item's name is next to it. */
export function ItemPicture({ image, size }: { image: string; size: number | string }) {
  const { palette, drawing } = PICTURES[image] ?? UNKNOWN;
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" style={{ display: 'block' }}>
      <rect width="64" height="64" rx="16" style={{ fill: `var(--badge-${palette}-bg)` }} />
      <g style={{ fill: 'none', stroke: `var(--badge-${palette}-text)` }} strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round">
        {drawing}
      </g>
    </svg>
  );
}
