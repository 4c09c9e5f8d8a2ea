import styles from './Competition.module.css';
import { competitionCopy } from './copy';
import type { CompetitionStatus } from './types';

const LOOKS: Readonly<Record<CompetitionStatus, string | undefined>> = {
  SCHEDULED: styles.scheduled,
  ONGOING: styles.ongoing,
  ENDED: styles.ended,
};

export function StatusChip({ status }: { status: CompetitionStatus }) {
  return <span className={`${styles.chip} ${LOOKS[status]}`}>{competitionCopy.statuses[status]}</span>;
}
