import { growthChart } from '@/shared/copy/copy.account';
import { won } from '@/shared/format/won';
import styles from './GrowthChart.module.css';

/** The state at one date: won paid in so far, and interest earned so far. */
export interface GrowthPoint {
  /** As shown at the ends of the axis. */
  label: string;
  paid: number;
  interest: number;
}

const WIDTH = 320;
const HEIGHT = 160;
const GAP = 0.25;
/** The smallest bar of interest that can be seen. */
const LEAST_INTEREST = 2;

interface GrowthChartProps {
  points: readonly GrowthPoint[];
  /** How many of the points have passed; the others are drawn fainter. */
  passed: number;
}

/**
 * Bars of what was paid in with the interest on top of it; of the interest alone where nothing more is paid in, because it would
 * not be seen beside the principal. A table with the figures belongs next to it.
 */
export function GrowthChart({ points, passed }: GrowthChartProps) {
  const last = points.at(-1);
  if (last === undefined) return null;
  const isOnePayment = points.every(({ paid }) => paid === last.paid);
  const base = (paid: number) => (isOnePayment ? 0 : paid);
  const top = Math.max(...points.map(({ paid, interest }) => base(paid) + interest), 1);
  const slot = WIDTH / points.length;
  return (
    <figure className={styles.figure}>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={growthChart.summary(last.label, won(last.paid), won(last.interest))}
      >
        {points.map(({ label, paid, interest }, index) => {
          const interestHeight = interest === 0 ? 0 : Math.max((interest / top) * HEIGHT, LEAST_INTEREST);
          const paidHeight = Math.min((base(paid) / top) * HEIGHT, HEIGHT - interestHeight);
          const x = (index + GAP / 2) * slot;
          const width = slot * (1 - GAP);
          return (
            <g key={label} className={index < passed ? undefined : styles.planned}>
              <rect className={styles.paid} x={x} y={HEIGHT - paidHeight} width={width} height={paidHeight} />
              <rect className={styles.interest} x={x} y={HEIGHT - paidHeight - interestHeight} width={width} height={interestHeight} />
            </g>
          );
        })}
      </svg>
      <p className={styles.axis} aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{last.label}</span>
      </p>
      <ul className={styles.legend} aria-hidden="true">
        <li>
          {!isOnePayment && <span className={`${styles.dot} ${styles.paidDot}`} />}
          {growthChart.paid} {won(last.paid)}
        </li>
        <li>
          <span className={`${styles.dot} ${styles.interestDot}`} />
          {growthChart.interest} {won(last.interest)}
        </li>
      </ul>
    </figure>
  );
}
