import { LEVEL_NAMES, type LevelNumber, OPERATOR_NAME, type WealthLevel } from '@/shared/format/level';
import styles from './Level.module.css';

/** A wealth level with its picture; the operator has a badge of its own. */
export function LevelBadge({ level }: { level: Pick<WealthLevel, 'number' | 'name'> | 'operator' }) {
  const key = level === 'operator' ? 'operator' : level.number;
  const image = level === 'operator' ? '/levels/operator.svg' : `/levels/level_${level.number}.svg`;
  return (
    <span className={styles.badge} style={{ background: `var(--badge-${key}-bg)`, color: `var(--badge-${key}-text)` }}>
      <img src={image} alt="" width={16} height={16} />
      {level === 'operator' ? OPERATOR_NAME : level.name}
    </span>
  );
}

/** The badge of a level by its number; none while it is unknown. */
export function LevelNumberBadge({ number }: { number: number | null | undefined }) {
  const name = LEVEL_NAMES[(number ?? 0) - 1];
  return name === undefined ? null : <LevelBadge level={{ number: number as LevelNumber, name }} />;
}
