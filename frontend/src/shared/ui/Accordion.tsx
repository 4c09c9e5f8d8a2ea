import type { ReactNode } from 'react';
import styles from './Accordion.module.css';
import { ChevronDownIcon } from './icons';

/** A part of a screen of which only the heading shows until it is opened. */
export function Accordion({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.accordion}>
      <summary>
        <h2>{title}</h2>
        <ChevronDownIcon size={20} />
      </summary>
      {children}
    </details>
  );
}
