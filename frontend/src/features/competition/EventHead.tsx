import { bigWon } from '@/shared/format/bigWon';
import { unitless } from '@/shared/format/number';
import { type Fact, Facts } from '@/shared/ui/Facts';
import styles from './Competition.module.css';
import { competitionCopy as copy } from './copy';
import { countdown, periodText } from './eventTime';
import { StatusChip } from './StatusChip';
import type { Competition } from './types';

export function EventHead({ event, now }: { event: Competition; now: Date }) {
  const { status, title, startCash, prize, prizes, entrants } = event;
  const left = countdown(event, now);
  const count = unitless(entrants);
  const facts: Fact[] = [
    [copy.facts.period, periodText(event)],
    [copy.facts.startCash, bigWon(startCash)],
    // Told place by place below where it is known.
    ...(prize && prizes.length === 0 ? [[copy.facts.prize, prize] as const] : []),
    [copy.facts.entrants, status === 'ENDED' ? copy.entrantsEnded(count) : copy.entrants(count)],
  ];
  return (
    <section className={styles.head} aria-labelledby="event">
      <p className={styles.line}>
        <StatusChip status={status} />
        {left && <span className={styles.countdown}>{left}</span>}
      </p>
      <h2 id="event" className={styles.title}>
        {title}
      </h2>
      <Facts facts={facts} />
    </section>
  );
}
