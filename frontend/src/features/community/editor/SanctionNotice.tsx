import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { decisionCopy } from '@/features/community/copy.decisions';
import { moderationCopy } from '@/features/community/copy.moderation';
import type { Sanction } from '@/features/community/types';
import styles from './Editor.module.css';

const WARNING_SHOWN_MS = 30 * 24 * 60 * 60 * 1_000;

/** Tells members who may not write until when and why, and who was warned that they were. */
export function SanctionNotice({ sanction }: { sanction: Sanction }) {
  if (!sanction.isActive && !isRecentWarning(sanction)) return null;
  const until = parseServerTime(sanction.until);
  const suspended = until ? decisionCopy.suspendedUntil(kstDateTime(until)) : decisionCopy.suspendedForGood;
  return (
    <div className={styles.sanction} role="status">
      <p>
        <strong>{sanction.isActive ? suspended : decisionCopy.warned}</strong>
      </p>
      {sanction.rule && <p>{decisionCopy.rule(moderationCopy.reasons[sanction.rule])}</p>}
      <p className={styles.sanctionReason}>{sanction.reason}</p>
    </div>
  );
}

function isRecentWarning({ rung, from }: Sanction): boolean {
  const at = parseServerTime(from);
  return rung === 1 && at !== null && Date.now() - at.getTime() < WARNING_SHOWN_MS;
}
