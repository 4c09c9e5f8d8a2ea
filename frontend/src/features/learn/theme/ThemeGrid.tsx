import { Link } from 'react-router';
import { themeQuizHref } from '@/features/learn/learnPaths';
import { Bone } from '@/shared/ui/Skeleton';
import type { ThemeMeta } from '@/features/learn/learnTypes';
import { themeCopy } from './copy';
import styles from './Theme.module.css';
import { ThemeIcon } from './ThemeIcon';

/** Themes as cards with what a member has done of each. */
export function ThemeGrid({ themes }: { themes: readonly ThemeMeta[] }) {
  return (
    <ul className={styles.grid}>
      {themes.map((theme) => (
        <li key={theme.themeSid}>
          <ThemeCard theme={theme} />
        </li>
      ))}
    </ul>
  );
}

function ThemeCard({ theme: { themeSid, name, done, total, mastery } }: { theme: ThemeMeta }) {
  const share = done !== null && total > 0 ? done / total : 0;
  return (
    <Link to={themeQuizHref(themeSid)} className={styles.card}>
      <ThemeIcon themeSid={themeSid} />
      <span className={styles.name}>{name}</span>
      {done !== null && (
        <>
          <span className={styles.track} aria-hidden="true">
            <span className={styles.fill} style={{ transform: `scaleX(${share})` }} />
          </span>
          <span className={styles.done}>
            <span aria-hidden="true">{themeCopy.progress(done, total)}</span>
            <span className="sr-only">{themeCopy.spoken(done, total)}</span>
            {mastery !== null && mastery > 0 && <span>{themeCopy.mastery(Math.round(mastery))}</span>}
          </span>
        </>
      )}
    </Link>
  );
}

export function ThemesSkeleton({ cards }: { cards: number }) {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.grid}>
        {Array.from({ length: cards }, (_, card) => (
          <div key={card} className={styles.card}>
            <Bone width={36} height={36} radius={12} />
            <Bone width="80%" height={22} />
            <Bone width="100%" height={6} radius={3} />
            <Bone width="30%" height={18} />
          </div>
        ))}
      </div>
    </div>
  );
}
