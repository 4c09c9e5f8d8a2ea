import type { Direction } from './direction';
import styles from './Transfer.module.css';

const PATHS: Record<Direction, string> = {
  in: 'M12 4v15m0 0-6-6m6 6 6-6',
  out: 'M12 20V5m0 0-6 6m6-6 6 6',
  between: 'M5 9h13m0 0-4-4m4 4-4 4M19 16H6m0 0 4-4m-4 4 4 4',
};

/** Whether money came, left, or moved between the member's accounts. Decorative: the sign of the amount says it, too. */
export function KindIcon({ direction }: { direction: Direction }) {
  return (
    <span aria-hidden="true" className={`${styles.kind} ${direction === 'in' ? styles.in : ''}`}>
      <svg className="icon" width={20} height={20} viewBox="0 0 24 24">
        <path d={PATHS[direction]} />
      </svg>
    </span>
  );
}
