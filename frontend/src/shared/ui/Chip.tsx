import type { ReactNode } from 'react';
import styles from './Chip.module.css';

interface ChipProps {
  /** `small` fits into a line of a row; `caution` warns. */
  look?: 'plain' | 'small' | 'caution';
  children: ReactNode;
}

/** A small label, such as the one saying that prices are for practice. */
export function Chip({ look = 'plain', children }: ChipProps) {
  return <span className={`${styles.chip} ${styles[look]}`}>{children}</span>;
}
