import { Accordion } from '@/shared/ui/Accordion';
import styles from './Competition.module.css';
import { rulesCopy } from './copy';

export function Rules({ showsHoldings }: { showsHoldings: boolean }) {
  return (
    <Accordion title={rulesCopy.title}>
      <ul className={styles.rules}>
        {rulesCopy.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
        {showsHoldings && <li>{rulesCopy.showsHoldings}</li>}
      </ul>
    </Accordion>
  );
}
