import { useId } from 'react';
import { unitless } from '@/shared/format/number';
import { signedPct } from '@/shared/format/pct';
import { Button } from '@/shared/ui/Button';
import { ShareIcon } from '@/shared/ui/shareIcon';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import styles from './Competition.module.css';
import { rankCopy } from './copy';
import { EntryFacts } from './EntryFacts';
import { periodText } from './eventTime';
import { drawResultCard } from './resultCard';
import { shareResult } from './shareResult';
import type { Board, Competition, Entry } from './types';

const OUTCOMES = { copied: rankCopy.copied, saved: rankCopy.saved, failed: rankCopy.shareFailed } as const;

interface ResultProps {
  event: Competition;
  entry: Entry;
  /** Undefined while unknown. */
  board: Board | undefined;
}

/** How the member did in an event that has ended. */
export function Result({ event, entry, board }: ResultProps) {
  const id = useId();
  const mine = board?.mine ?? null;
  const isFinal = board?.isFinal === true;
  const share = async () => {
    const rank = mine && isFinal ? unitless(mine.rank) : null;
    const returnText = signedPct(entry.returnRt);
    const card = await drawResultCard({
      title: event.title,
      period: periodText(event),
      rank: rank === null ? null : rankCopy.place(rank),
      returnRt: entry.returnRt,
      returnText,
    });
    const ended = await shareResult(card, rankCopy.shareText(event.title, rank, returnText));
    if (ended !== 'sheet') showSnackbar(OUTCOMES[ended]);
  };
  return (
    <section className={styles.mine} aria-labelledby={id}>
      <h2 id={id} className={styles.mineTitle}>
        {rankCopy.final}
      </h2>
      {board && <p className={mine && isFinal ? styles.rank : styles.needs}>{sentence(board)}</p>}
      <EntryFacts entry={entry} />
      {isFinal && (
        <Button tone="tint" size="large" block onClick={() => void share()}>
          <ShareIcon size={20} />
          {rankCopy.share}
        </Button>
      )}
    </section>
  );
}

function sentence({ mine, isFinal }: Board): string {
  if (!isFinal) return rankCopy.settling;
  return mine ? rankCopy.rank(unitless(mine.rank), signedPct(mine.returnRt)) : rankCopy.unmet;
}
