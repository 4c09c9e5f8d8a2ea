import type { ReactNode } from 'react';
import styles from './Chip.module.css';

interface ChipProps {
  /** `small` fits into a line of a row; `caution` is a warning, `smallCaution` one in a row. */
  look?: 'plain' | 'small' | 'caution' | 'smallCaution';
  children: ReactNode;
}

/** A small label, such as the one for practice prices. */
export function Chip({ look = 'plain', children }: ChipProps) {
  return <span className={`${styles.chip} ${styles[look]}`}>{children}</span>;
}
