import type { ReactNode } from 'react';
import styles from './Facts.module.css';

export type Fact = readonly [label: string, value: ReactNode];

interface FactsProps {
  facts: readonly Fact[];
  /** The sum, below a line. */
  sum?: Fact;
  /** Two columns where the frame is wide enough. */
  isPaired?: boolean;
}

/** A list of labels on the left and figures on the right. */
export function Facts({ facts, sum, isPaired = false }: FactsProps) {
  return (
    <dl className={`${styles.facts} ${isPaired ? styles.paired : ''}`}>
      {facts.map((fact) => (
        <Line key={fact[0]} fact={fact} />
      ))}
      {sum && <Line fact={sum} isSum />}
    </dl>
  );
}

function Line({ fact: [label, value], isSum = false }: { fact: Fact; isSum?: boolean }) {
  return (
    <div className={`${styles.fact} ${isSum ? styles.sum : ''}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
