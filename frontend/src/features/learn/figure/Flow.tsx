import styles from './Drawing.module.css';
import type { FigureData } from './figureData';

/** Steps that lead from one to the next. */
export function Flow({ figure: { steps = [], notes = [] } }: { figure: FigureData }) {
  return (
    <ol className={styles.flow}>
      {steps.map((step, index) => (
        <li key={step} className={styles.flowStep}>
          <span className={styles.flowBox}>
            <span className={styles.flowName}>{step}</span>
            {notes[index] && <span className={styles.flowNote}>{notes[index]}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
