import type { ReactNode } from 'react';
import styles from './FigureMark.module.css';
import type { FigureKind } from './figureData';

const SHAPES: Record<FigureKind, ReactNode> = {
  bars: <path d="M12 42V28m12 14V16m12 26V22" strokeWidth={7} />,
  lines: <path d="m9 39 11-13 9 7 14-20" />,
  donut: (
    <>
      <circle cx={27} cy={27} r={14} strokeWidth={8} opacity={0.35} />
      <path d="M27 13a14 14 0 0 1 12 21" strokeWidth={8} strokeLinecap="butt" />
    </>
  ),
  table: <path d="M11 15h32M11 27h32M11 39h32M25 15v24" />,
  order_book: <path d="M11 14h14m-14 9h22m-22 9h30m-30 9h18" strokeWidth={5} />,
  candles: <path d="M17 11v32M12 18h10v16H12zm25-5v26m-5-21h10v14H32z" />,
  flow: <path d="M10 27h26m-9-10 10 10-10 10" />,
  timeline: <path d="M8 27h5m10 0h8m10 0h5M18 22a5 5 0 1 0 0 10 5 5 0 0 0 0-10Zm18 0a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z" />,
  balance: <path d="M27 12v30m-9 0h18M13 18h28M13 18l-5 11h10zm28 0-5 11h10z" />,
};

/** The shape of an article's picture as a small tile; decorative. */
export function FigureMark({ kind }: { kind: FigureKind | null }) {
  return (
    <span className={`${styles.mark} ${styles[kind ?? 'lines']}`} aria-hidden="true">
      <svg width={54} height={54} viewBox="0 0 54 54">
        {SHAPES[kind ?? 'lines']}
      </svg>
    </span>
  );
}
