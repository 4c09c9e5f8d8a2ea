import { Link } from 'react-router';
import { articleHref } from '@/features/learn/learnPaths';
import { CheckIcon } from '@/shared/ui/icons';
import { learnCopy } from '@/features/learn/copy';
import { FigureMark } from '@/features/learn/figure/FigureMark';
import type { ArticleCardData } from '@/features/learn/learnTypes';
import styles from './ArticleRows.module.css';

/** A short list of articles: each with the shape of its picture, its theme, title and length. */
export function ArticleRows({ articles }: { articles: readonly ArticleCardData[] }) {
  return (
    <ul>
      {articles.map((article) => (
        <li key={article.articleSid}>
          <ArticleRow article={article} />
        </li>
      ))}
    </ul>
  );
}

function ArticleRow({ article: { articleSid, title, summary, educationTitle, minutes, figure, isComplete } }: { article: ArticleCardData }) {
  return (
    <Link to={articleHref(articleSid)} className={styles.row}>
      <span className={styles.text}>
        <span className={styles.meta}>
          {educationTitle} · {learnCopy.minutes(minutes)}
          {isComplete && (
            <span className={styles.read}>
              <CheckIcon size={14} /> {learnCopy.read}
            </span>
          )}
        </span>
        <span className={styles.title}>{title}</span>
        <span className={styles.summary}>{summary}</span>
      </span>
      <FigureMark kind={figure?.kind ?? null} />
    </Link>
  );
}
