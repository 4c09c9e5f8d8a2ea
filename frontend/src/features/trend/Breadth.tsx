import { unitless } from '@/shared/format/number';
import { ShareBar } from '@/shared/ui/ShareBar';
import { trendCopy } from './copy';
import styles from './Trend.module.css';

/** How many rose, stood and fell: a bar for the eye and the same in words. */
export function Breadth({ up, flat, down }: { up: number; flat: number; down: number }) {
  if (up + flat + down === 0) return null;
  const parts = [
    { name: 'up', count: up, text: trendCopy.up(unitless(up)) },
    { name: 'flat', count: flat, text: trendCopy.flat(unitless(flat)) },
    { name: 'down', count: down, text: trendCopy.down(unitless(down)) },
  ] as const;
  return (
    <section className={styles.breadth} aria-label={trendCopy.breadth}>
      <ShareBar parts={parts.map(({ name, count }) => ({ name, size: count, look: styles[name] }))} />
      <ul className={styles.legend}>
        {parts.map(({ name, text }) => (
          <li key={name} className={`tone-${name}`}>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
