import { amount } from './amounts';
import styles from './Drawing.module.css';
import type { FigureData } from './figureData';
import { seriesClass } from './Legend';

const SIZE_PX = 152;
const RADIUS = 56;
const CIRCLE = 2 * Math.PI * RADIUS;
const GAP = 2;

/** Parts of a whole, with their names and values next to the ring. */
export function Donut({ figure: { labels = [], values = [], unit = '' } }: { figure: FigureData }) {
  const total = values.reduce((sum, value) => sum + value, 0);
  let passed = 0;
  return (
    <div className={styles.donut}>
      <svg width={SIZE_PX} height={SIZE_PX} viewBox={`0 0 ${SIZE_PX} ${SIZE_PX}`} aria-hidden="true">
        {values.map((value, index) => {
          const length = total > 0 ? (value / total) * CIRCLE : 0;
          const start = passed;
          passed += length;
          return (
            <circle
              key={labels[index]}
              cx={SIZE_PX / 2}
              cy={SIZE_PX / 2}
              r={RADIUS}
              className={`${styles.ring} ${styles[seriesClass(index)]}`}
              strokeDasharray={`${Math.max(0, length - GAP)} ${CIRCLE}`}
              strokeDashoffset={-start}
              transform={`rotate(-90 ${SIZE_PX / 2} ${SIZE_PX / 2})`}
            />
          );
        })}
      </svg>
      <ul className={styles.parts}>
        {labels.map((label, index) => (
          <li key={label} className={styles.part}>
            <svg width={12} height={12} aria-hidden="true" className={styles[seriesClass(index)]}>
              <rect width={12} height={12} rx={3} className={styles.area} />
            </svg>
            <span className={styles.partName}>{label}</span>
            <span className={styles.partValue}>{amount(values[index] ?? 0, unit)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
