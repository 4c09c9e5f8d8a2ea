import { useId } from 'react';
import { unitless } from '@/shared/format/number';
import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { signedPct } from '@/shared/format/pct';
import styles from './Competition.module.css';
import { rankCopy } from './copy';
import { EntryFacts } from './EntryFacts';
import type { Activity, Board, Entry } from './types';

const PARTS = ['buys', 'items', 'days'] as const;

interface MyRankProps {
  entry: Entry;
  /** Undefined while unknown. */
  board: Board | undefined;
  now: Date;
}

/** The member's rank in a running event, or what it still needs. */
export function MyRank({ entry, board, now }: MyRankProps) {
  const id = useId();
  const mine = board?.mine;
  return (
    <section className={styles.mine} aria-labelledby={id}>
      <h2 id={id} className={styles.mineTitle}>
        {rankCopy.mine}
      </h2>
      {mine ? <p className={styles.rank}>{rankCopy.rank(unitless(mine.rank), signedPct(mine.returnRt))}</p> : board && <Progress entry={entry} now={now} />}
      <EntryFacts entry={entry} />
    </section>
  );
}

function Progress({ entry: { activity, needed, rankedFrom }, now }: { entry: Entry; now: Date }) {
  const from = parseServerTime(rankedFrom);
  const isEarly = from !== null && from > now;
  const isMet = PARTS.every((part) => activity[part] >= needed[part]);
  return (
    <>
      {!isMet && (
        <>
          <p className={styles.needs}>{rankCopy.needs}</p>
          <ul className={styles.meters}>
            {PARTS.map((part) => (
              <li key={part}>
                <Need part={part} activity={activity} needed={needed} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isEarly && <p className={styles.needs}>{rankCopy.from(kstDateTime(from))}</p>}
      {isMet && !isEarly && <p className={styles.needs}>{rankCopy.soon}</p>}
    </>
  );
}

function Need({ part, activity, needed }: { part: (typeof PARTS)[number]; activity: Activity; needed: Activity }) {
  const most = needed[part];
  const done = Math.min(activity[part], most);
  const text = rankCopy[part](most, done);
  return (
    <>
      <p>{text}</p>
      <div role="meter" aria-label={rankCopy.meters[part]} aria-valuemin={0} aria-valuemax={most} aria-valuenow={done} aria-valuetext={text} className={styles.meter}>
        {Array.from({ length: most }, (_, index) => (
          <span key={index} className={index < done ? styles.done : styles.open} />
        ))}
      </div>
    </>
  );
}
