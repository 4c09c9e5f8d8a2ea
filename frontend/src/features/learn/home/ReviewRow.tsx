import { Link } from 'react-router';
import { learnPaths } from '@/features/learn/learnPaths';
import { ChevronIcon } from '@/shared/ui/icons';
import type { Progress } from '@/features/learn/learnTypes';
import { learnHomeCopy } from './copy';
import styles from './LearnHome.module.css';

/** How many cards are due for review; a link when there are any. */
export function ReviewRow({ review: { due, nextAt } }: { review: Progress['review'] }) {
  const text = due > 0 ? learnHomeCopy.reviewDue(due) : nextAt === null ? learnHomeCopy.reviewNone : learnHomeCopy.reviewNext(dayName(nextAt));
  const content = (
    <>
      <span className={styles.rowTitle}>{learnHomeCopy.review}</span>{' '}
      <span className={due > 0 ? styles.rowDue : styles.rowValue}>{text}</span>
    </>
  );
  if (due === 0) return <p className={styles.row}>{content}</p>;
  return (
    <Link to={learnPaths.review} className={styles.row}>
      {content}
      <ChevronIcon size={18} />
    </Link>
  );
}

function dayName(date: string): string {
  return learnHomeCopy.date(Number(date.slice(5, 7)), Number(date.slice(8, 10)));
}
