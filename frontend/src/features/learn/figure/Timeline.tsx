import styles from './Drawing.module.css';
import type { FigureData } from './figureData';

/** Dates and what happens on them. */
export function Timeline({ figure: { events = [] } }: { figure: FigureData }) {
  return (
    <ol className={styles.timeline}>
      {events.map(([when, what]) => (
        <li key={when} className={styles.event}>
          <span className={styles.when}>{when}</span>
          <span className={styles.what}>{what}</span>
        </li>
      ))}
    </ol>
  );
}
