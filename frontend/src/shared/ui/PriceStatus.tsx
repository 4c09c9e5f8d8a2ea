import { useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { realtime } from '@/shared/copy/copy.shared';
import type { Venue } from '@/shared/realtime/connection';
import { LiveBadge } from './LiveBadge';
import { PracticeChip } from './PracticeChip';
import styles from './PriceStatus.module.css';

/** The status in a top bar: whether prices are live, and that they are for practice. */
export function PriceStatus({ venues }: { venues?: readonly Venue[] }) {
  return (
    <div className={styles.status}>
      <LiveBadge {...(venues && { venues })} />
      <PracticeChip />
    </div>
  );
}

/** The sentence that explains the label, below the prices. */
export function PriceNote() {
  const { simulated, clock } = useRuntimeConfig();
  const isReplay = clock === 'replay';
  if (!simulated && !isReplay) return null;
  return <p className={styles.note}>{isReplay ? realtime.replayExplained : realtime.practiceExplained}</p>;
}
