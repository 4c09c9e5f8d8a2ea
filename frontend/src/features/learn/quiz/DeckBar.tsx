import { useEffect } from 'react';
import { CloseIcon } from '@/shared/ui/icons';
import { announceScreen } from '@/shared/ui/screenAnnouncer';
import { quizCopy } from './copy';
import styles from './Deck.module.css';

interface DeckBarProps {
  title: string;
  /** The question on the screen, from 1. */
  index: number;
  /** Answered questions. */
  done: number;
  total: number;
  onClose: () => void;
}

/** The bar of a run: a way out, how much is done, and the number of the question. The question is the heading. */
export function DeckBar({ title, index, done, total, onClose }: DeckBarProps) {
  useEffect(() => announceScreen(title), [title]);
  return (
    <header className={styles.bar}>
      <button type="button" className={styles.close} aria-label={quizCopy.close} onClick={onClose}>
        <CloseIcon />
      </button>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={quizCopy.progress}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={quizCopy.spokenOf(index, total)}
      >
        <div className={styles.trackFill} style={{ transform: `scaleX(${done / total})` }} />
      </div>
      <span className={styles.count} aria-hidden="true">
        {quizCopy.of(index, total)}
      </span>
    </header>
  );
}
