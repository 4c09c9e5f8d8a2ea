import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { realtime } from '@/shared/copy/copy.shared';
import type { Venue } from '@/shared/realtime/connection';
import { PracticeChip } from './PracticeChip';
import styles from './PriceStatus.module.css';
import { RtBadge } from './RtBadge';

/** What a screen's top bar says of its prices: whether they are live, and that they are for practice. */
export function PriceStatus({ venues }: { venues?: readonly Venue[] }) {
  return (
    <div className={styles.status}>
      <RtBadge {...(venues && { venues })} />
      <PracticeChip />
    </div>
  );
}

/** The sentence that explains the label, where the prices end. */
export function PriceNote() {
  const { simulated, clock } = useRuntimeConfig();
  const isReplay = clock === 'replay';
  if (!simulated && !isReplay) return null;
  return <p className={styles.note}>{isReplay ? realtime.replayExplained : realtime.practiceExplained}</p>;
}
