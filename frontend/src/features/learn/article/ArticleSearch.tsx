import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { given } from '@/shared/copy/copy.given';
import { state } from '@/shared/copy/copy.shared';
import { articleHref } from '@/features/learn/learnPaths';
import { useReplaceOverlayLinks } from '@/shared/ui/overlayHistory';
import { SearchField } from '@/shared/ui/SearchField';
import { Sheet } from '@/shared/ui/Sheet';
import { Spinner } from '@/shared/ui/Spinner';
import { EmptyState, ErrorState, useIsOnline } from '@/shared/ui/States';
import { useDebounced } from '@/shared/ui/useDebounced';
import { FigureMark } from '@/features/learn/figure/FigureMark';
import { articleSearchQuery } from '@/features/learn/learnQueries';
import type { FoundArticle } from '@/features/learn/learnTypes';
import styles from './ArticleList.module.css';
import { articleCopy } from './copy';

const DEBOUNCE_MS = 200;

/** Searches articles by their words or initial consonants, on the whole frame. */
export function ArticleSearch({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const replaceEntry = useReplaceOverlayLinks();
  const debounced = useDebounced(text.trim(), DEBOUNCE_MS);
  // The first letter switches the view at once; the search is debounced.
  const asked = text.trim() === '' ? '' : debounced;
  useEffect(() => {
    if (open) field.current?.focus();
    else setText('');
  }, [open]);
  return (
    <Sheet full open={open} title={articleCopy.search} onClose={onClose}>
      <SearchField ref={field} label={articleCopy.search} placeholder={given.articleSearchPlaceholder} value={text} onChange={setText} />
      {/* Makes the links inside replace the overlay's history entry; it is no control itself. */}
      <div role="presentation" onClickCapture={replaceEntry}>
        {asked === '' ? <p className={styles.prompt}>{given.articleSearchPrompt}</p> : <Found text={asked} />}
      </div>
    </Sheet>
  );
}

function Found({ text }: { text: string }) {
  const isOnline = useIsOnline();
  const { data, error, refetch } = useQuery(articleSearchQuery(text));
  if (!data) {
    if (!isOnline) return <p className={styles.prompt}>{state.offlineBlocked}</p>;
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return (
      <div className={styles.spinner}>
        <Spinner />
      </div>
    );
  }
  if (data.length === 0) return <EmptyState title={given.searchEmpty(text)} />;
  return (
    <>
      <p className="sr-only" role="status">
        {articleCopy.count(data.length)}
      </p>
      <ul>
        {data.map((article) => (
          <li key={article.sid}>
            <Row article={article} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Row({ article: { sid, educationTitle, title, figure, snippet } }: { article: FoundArticle }) {
  return (
    <Link to={articleHref(sid)} className={styles.found}>
      <FigureMark kind={figure?.kind ?? null} />
      <span className={styles.foundText}>
        <span className={styles.meta}>{educationTitle}</span>
        <span className={styles.title}>{title}</span>
        <span className={styles.snippet}>
          {snippet.map((part, index) =>
            part.isMatch ? (
              <mark key={index} className={styles.match}>
                {part.text}
              </mark>
            ) : (
              part.text
            ),
          )}
        </span>
      </span>
    </Link>
  );
}
