import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import { state } from '@/shared/copy/copy.shared';
import { unitless } from '@/shared/format/number';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { afterStudy } from '@/features/learn/afterStudy';
import { articleQuery, completionQuery } from '@/features/learn/learnQueries';
import type { Article, Completion, StudyResult } from '@/features/learn/learnTypes';
import { CheckSheet } from './CheckSheet';
import { articleCopy } from './copy';
import { Finished } from './Finished';
import { forgetReadingPosition } from './readingMemory';
import { Related } from './Related';

/** The part of an article that has to be scrolled. */
const ENOUGH = 0.8;

interface FinishProps {
  article: Article;
  memberSid: number;
  /** How far the text has been scrolled, 0 to 1. */
  share: number;
  body: RefObject<HTMLElement | null>;
}

/** Completing an article: read far enough, long enough, and its question answered. The server decides the last two. */
export function Finish({ article, memberSid, share, body }: FinishProps) {
  const queryClient = useQueryClient();
  const helperId = useId();
  const isOnline = useIsOnline();
  const [hasRead, setHasRead] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [question, setQuestion] = useState<Completion | null>(null);
  const [secondsLeft, startCountdown] = useSecondsLeft();
  const [result, setResult] = useState<StudyResult | null>(null);
  if (!hasRead && share >= ENOUGH) setHasRead(true);

  if (article.isComplete || result) {
    return (
      <>
        <Finished article={article} result={result} />
        <Related articles={article.related} />
      </>
    );
  }

  const onDone = (done: StudyResult) => {
    setQuestion(null);
    setResult(done);
    forgetReadingPosition(article.articleSid);
    afterStudy(queryClient, memberSid);
  };
  const onTooShort = (seconds: number) => {
    setQuestion(null);
    startCountdown(seconds);
  };
  const finish = async () => {
    setAsking(true);
    try {
      const completion = await queryClient.fetchQuery(completionQuery(memberSid, article.articleSid));
      if (completion.isComplete) {
        queryClient.setQueryData(articleQuery(memberSid, article.articleSid).queryKey, { ...article, isComplete: true });
      } else if (completion.secondsLeft > 0) startCountdown(completion.secondsLeft);
      else setQuestion(completion);
    } catch (error) {
      if (isProblem(error, 'STUDY_NOT_FOUND')) void queryClient.invalidateQueries({ queryKey: articleQuery(memberSid, article.articleSid).queryKey });
      showSnackbar(articleCopy.failed);
    } finally {
      setAsking(false);
    }
  };
  const helper = helperOf({ isOnline, hasRead, secondsLeft });
  return (
    <>
      <Related articles={article.related} />
      <BottomCTA helper={helper} helperId={helperId}>
        {!hasRead && (
          <Button
            tone="neutral"
            size="large"
            onClick={() => {
              body.current?.scrollIntoView({ block: 'end', behavior: 'smooth' });
              setHasRead(true);
            }}
          >
            {articleCopy.toEnd}
          </Button>
        )}
        <Button size="large" block busy={isAsking} disabled={helper !== null} describedBy={helper === null ? undefined : helperId} onClick={() => void finish()}>
          {article.point > 0 ? articleCopy.done(unitless(article.point)) : articleCopy.doneAgain}
        </Button>
      </BottomCTA>
      <CheckSheet sid={article.memberEducationSid} question={question} onClose={() => setQuestion(null)} onDone={onDone} onTooShort={onTooShort} />
    </>
  );
}

function helperOf({ isOnline, hasRead, secondsLeft }: { isOnline: boolean; hasRead: boolean; secondsLeft: number }): string | null {
  if (!isOnline) return state.offlineBlocked;
  if (!hasRead) return articleCopy.readOn;
  return secondsLeft > 0 ? articleCopy.waitSeconds(secondsLeft) : null;
}

/** Counts down from what the server said. */
function useSecondsLeft(): [number, (seconds: number) => void] {
  const [until, setUntil] = useState<number | null>(null);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (until === null) return undefined;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1_000)));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [until]);
  return [left, (seconds) => setUntil(performance.now() + seconds * 1_000)];
}
