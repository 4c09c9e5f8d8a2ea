import { useEffect, useRef, useState } from 'react';
import { ShareButton } from '@/shared/ui/ShareButton';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { TopBar, TopBarButton } from '@/shared/ui/TopBar';
import { useScrolledPast } from '@/shared/ui/useScrolledPast';
import { learnPaths } from '@/features/learn/learnPaths';
import { learnCopy } from '@/features/learn/copy';
import { Figure } from '@/features/learn/figure/Figure';
import type { Article } from '@/features/learn/learnTypes';
import { RichText } from '@/features/learn/text/RichText';
import { WordList } from '@/features/learn/glossary/WordList';
import styles from './Article.module.css';
import { articleCopy } from './copy';
import { Finish } from './Finish';
import { keepReaderSize, keepReadingPosition, readingPosition, type ReaderSize, storedReaderSize } from './readingMemory';
import { TextSizeIcon, TextSizeSheet } from './TextSizeSheet';
import { useReadShare } from './useReadShare';
import { VisitorNote } from './VisitorNote';

/** Reads one article: text size, the place where it was left, and what completing it needs. */
export function ArticleReader({ article, memberSid }: { article: Article; memberSid: number | null }) {
  const { articleSid, title, educationTitle, level, minutes } = article;
  const { ref: heading, isPast } = useScrolledPast();
  const body = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(storedReaderSize);
  const [isSizeOpen, setSizeOpen] = useState(false);
  const share = useReadShare(body, (next) => keepReadingPosition(articleSid, next));
  useReturnToPosition(articleSid, body, article.isComplete);
  const choose = (next: ReaderSize) => {
    setSize(next);
    keepReaderSize(next);
  };
  return (
    <>
      <TopBar
        title={title}
        backTo={learnPaths.articles}
        titleShown={isPast}
        actions={
          <>
            <TopBarButton label={articleCopy.textSize} onClick={() => setSizeOpen(true)}>
              <TextSizeIcon />
            </TopBarButton>
            <ShareButton name={title} />
          </>
        }
      />
      <main id="main">
        <div className={styles.hairline} role="progressbar" aria-label={articleCopy.progress} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)}>
          <div className={styles.hairlineFill} style={{ transform: `scaleX(${share})` }} />
        </div>
        <article lang="ko">
          <div ref={body} className={`${styles.body} ${styles[size]}`}>
            <div ref={heading}>
              <p className={styles.meta}>{articleCopy.meta(educationTitle, learnCopy.level[level], learnCopy.minutes(minutes))}</p>
              <p className={styles.title} aria-hidden="true">
                {title}
              </p>
            </div>
            {article.figure && <Figure figure={article.figure} />}
            <RichText text={article.body} />
            <Source article={article} />
          </div>
          {article.terms.length > 0 && <WordList title={articleCopy.words} terms={article.terms} />}
        </article>
        {memberSid === null ? <VisitorNote article={article} /> : <Finish article={article} memberSid={memberSid} share={share} body={body} />}
      </main>
      <TextSizeSheet open={isSizeOpen} size={size} onSize={choose} onClose={() => setSizeOpen(false)} />
    </>
  );
}

function Source({ article: { source, asOf } }: { article: Article }) {
  if (source === '') return null;
  return (
    <p className={styles.source}>
      {articleCopy.source(source)}
      {asOf !== '' && ` · ${articleCopy.asOf(asOf)}`}
    </p>
  );
}

/** Scrolls to where the article was left, once; the first measurement would overwrite that place, so it is read before. */
function useReturnToPosition(articleSid: string, body: { current: HTMLElement | null }, isComplete: boolean): void {
  const [left] = useState(() => (isComplete ? null : readingPosition(articleSid)));
  useEffect(() => {
    const element = body.current;
    if (left === null || !element) return undefined;
    // After the router has scrolled to the top.
    const timer = setTimeout(() => {
      const box = element.getBoundingClientRect();
      window.scrollTo({ top: window.scrollY + box.top + left * box.height - window.innerHeight });
      showSnackbar(articleCopy.continued);
    }, RETURN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [body, left]);
}

const RETURN_AFTER_MS = 120;
