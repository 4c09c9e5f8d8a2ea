import { useId } from 'react';
import { kstDate, parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { type Fact, Facts } from '@/shared/ui/Facts';
import styles from './Competition.module.css';
import { prizeCopy as copy } from './copy';
import { Objections } from './Objections';
import type { Award, Competition, Prize } from './types';

/** What the best receive, what the member received, and the way to object before. Nothing of an event without prizes. */
export function Prizes({ memberSid, event }: { memberSid: number; event: Competition }) {
  const id = useId();
  if (event.prizes.length === 0) return null;
  const when = whenText(event);
  return (
    <section className={styles.mine} aria-labelledby={id}>
      <h2 id={id} className={styles.mineTitle}>
        {copy.title}
      </h2>
      {event.awards.map((award) => (
        <p key={award.board} className={award.isWithheld ? styles.needs : styles.rank}>
          {awardText(award)}
        </p>
      ))}
      <Facts facts={event.prizes.map(prizeFact)} />
      {event.prizes.some(({ board }) => board === 'CALM') && <p className={styles.note}>{copy.calm}</p>}
      {when && <p className={styles.note}>{when}</p>}
      <Objections memberSid={memberSid} event={event} />
    </section>
  );
}

function prizeFact({ board, firstPlace, lastPlace, point }: Prize): Fact {
  return [`${copy.boards[board]} ${copy.places(firstPlace, lastPlace)}`, copy.points(unitless(point))];
}

function awardText({ board, place, point, isWithheld }: Award): string {
  const name = copy.boards[board];
  return isWithheld ? copy.withheld(name, place) : copy.mine(name, place, unitless(point));
}

function whenText({ isAwarded, awardAt, status }: Competition): string | null {
  if (isAwarded) return copy.given;
  const at = parseServerTime(awardAt);
  if (at === null) return null;
  const day = kstDate(at);
  return status === 'ENDED' ? copy.checking(day) : copy.later(day);
}
