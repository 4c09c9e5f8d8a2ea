import type { ReactNode } from 'react';
import { type Tone, tone as toneOf, TONE_ARROW, TONE_WORD } from '@/shared/format/tone';
import styles from './PriceCell.module.css';

interface ToneTextProps {
  /** Determines colour, arrow and word. */
  value: number | null | undefined;
  /** Unsigned: the arrow is the sign. */
  children: ReactNode;
  /** As a filled label. */
  chip?: boolean;
}

/** A figure in the colour of its direction, with an arrow and a hidden word that say the same. */
export function ToneText({ value, children, chip = false }: ToneTextProps) {
  const tone: Tone = toneOf(value);
  return (
    <span className={`${styles.tone} ${styles[tone]} ${chip ? styles.chip : ''}`}>
      {TONE_ARROW[tone] && (
        <span aria-hidden="true" className={styles.arrow}>
          {TONE_ARROW[tone]}
        </span>
      )}
      {children}
      <span className="sr-only">{TONE_WORD[tone]}</span>
    </span>
  );
}
