import { useCompetes } from '@/shared/api/memberQuery';
import { nav } from '@/shared/copy/copy.shared';
import styles from './CompetitionChip.module.css';

/** The label in every top bar while the member competes. */
export function CompetitionChip() {
  return useCompetes() ? <span className={styles.chip}>{nav.competition}</span> : null;
}
