import { ChevronDownIcon } from '@/shared/ui/icons';
import styles from './Competition.module.css';
import { rulesCopy } from './copy';

export function Rules({ showsHoldings }: { showsHoldings: boolean }) {
  return (
    <details className={styles.accordion}>
      <summary>
        <h2>{rulesCopy.title}</h2>
        <ChevronDownIcon size={20} />
      </summary>
      <ul className={styles.rules}>
        {rulesCopy.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
        {showsHoldings && <li>{rulesCopy.showsHoldings}</li>}
      </ul>
    </details>
  );
}
