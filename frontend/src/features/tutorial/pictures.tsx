import { LEVEL_NAMES, type LevelNumber } from '@/shared/format/level';
import { CheckIcon, ChevronIcon } from '@/shared/ui/icons';
import { LevelBadge } from '@/shared/ui/LevelBadge';
import { tutorialCopy } from './copy';
import styles from './Pictures.module.css';

// Built from the app's own components, so that they follow the theme. Hidden from screen readers: the text below says the same.

/** A rising price. */
export function MarketPicture() {
  return (
    <svg viewBox="0 0 240 160" className={styles.chart}>
      <path className={styles.grid} d="M0 40h240M0 80h240M0 120h240" />
      <path className={styles.area} d="M0 128C24 120 34 96 58 100s34 22 58 8 28-52 52-48 28 8 44-10v120H0z" />
      <path className={styles.line} d="M0 128C24 120 34 96 58 100s34 22 58 8 28-52 52-48 28 8 44-10" />
      <circle className={styles.point} cx="212" cy="50" r="5" />
    </svg>
  );
}

/** The notice of a fill with its receipt button. */
export function FillPicture() {
  return (
    <div className={styles.notice}>
      <span className={styles.check}>
        <CheckIcon size={20} />
      </span>
      <span className={styles.noticeText}>{tutorialCopy.fill}</span>
      <span className={styles.why}>
        {tutorialCopy.why}
        <ChevronIcon size={14} />
      </span>
    </div>
  );
}

/** The wealth levels as steps. */
export function LevelPicture() {
  return (
    <div className={styles.levels}>
      {LEVEL_NAMES.map((name, index) => (
        <span key={name} className={styles.level} style={{ marginLeft: `${index * STEP_PERCENT}%` }}>
          <LevelBadge level={{ number: (index + 1) as LevelNumber, name }} />
        </span>
      )).reverse()}
    </div>
  );
}

const STEP_PERCENT = 7;
