import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { articleHref } from '@/features/learn/learnPaths';
import { Bone } from '@/shared/ui/Skeleton';
import { learnCopy } from '@/features/learn/copy';
import type { ArticleCardData } from '@/features/learn/learnTypes';
import styles from './ArticleList.module.css';

const Drawing = lazy(() => import(/* webpackChunkName: "figure" */ '@/features/learn/figure/Drawing'));

const SKELETON_CARDS = 5;

/** An article with its picture, 16:9. The picture is decorative here: the article explains it. */
export function ArticleCard({ article: { articleSid, title, educationTitle, minutes, level, figure } }: { article: ArticleCardData }) {
  return (
    <Link to={articleHref(articleSid)} className={styles.card}>
      <span className={styles.picture} aria-hidden="true">
        {figure && (
          <Suspense fallback={null}>
            <Drawing figure={figure} />
          </Suspense>
        )}
      </span>
      <span className={styles.meta}>
        {educationTitle} · {learnCopy.level[level]} · {learnCopy.minutes(minutes)}
      </span>
      <span className={styles.title}>{title}</span>
    </Link>
  );
}

export function CardsSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true">
        {Array.from({ length: SKELETON_CARDS }, (_, card) => (
          <div key={card} className={styles.card}>
            <span className={styles.picture} />
            <Bone width="45%" height={18} />
            <Bone width="80%" height={24} />
          </div>
        ))}
      </div>
    </div>
  );
}
