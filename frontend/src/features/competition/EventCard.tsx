import { Link } from 'react-router';
import { unitless } from '@/shared/format/number';
import styles from './Competition.module.css';
import { eventHref } from './competitionPaths';
import { competitionCopy } from './copy';
import { countdown, periodText } from './eventTime';
import { StatusChip } from './StatusChip';
import type { Competition } from './types';

interface EventCardProps {
  event: Competition;
  now: Date;
  isCurrent: boolean;
}

/** An event of the list; all of the card is its link. */
export function EventCard({ event, now, isCurrent }: EventCardProps) {
  const { sid, status, title, prize, entrants } = event;
  const left = countdown(event, now);
  const count = unitless(entrants);
  return (
    <article className={styles.card}>
      <p className={styles.line}>
        <StatusChip status={status} />
        {left && <span className={styles.countdown}>{left}</span>}
      </p>
      <h3 className={styles.name}>
        <Link to={eventHref(sid)} className={styles.link}>
          {title}
        </Link>
      </h3>
      <p className={styles.detail}>{periodText(event)}</p>
      {prize && <p className={styles.prize}>{competitionCopy.prize(prize)}</p>}
      <p className={styles.detail}>{status === 'ENDED' ? competitionCopy.entrantsEnded(count) : competitionCopy.entrants(count)}</p>
      {isCurrent && <p className={styles.current}>{competitionCopy.current}</p>}
    </article>
  );
}
