import { useMutation } from '@tanstack/react-query';
import { unitless } from '@/shared/format/number';
import { haptic } from '@/shared/platform/haptics';
import { CheckIcon } from '@/shared/ui/icons';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { Celebration } from '@/features/learn/Celebration';
import { sendSurvey } from '@/features/learn/learnApi';
import type { Article, StudyResult } from '@/features/learn/learnTypes';
import styles from './Article.module.css';
import { articleCopy } from './copy';

/** What a completed article shows in place of the action: points, why the answer is right, and a question about the article. */
export function Finished({ article, result }: { article: Article; result: StudyResult | null }) {
  return (
    <section className={styles.finished} aria-label={articleCopy.completed}>
      {result && <Celebration />}
      <CheckIcon size={32} />
      <h2 tabIndex={-1} ref={result ? focusOnce : undefined} className={styles.finishedTitle}>
        {result && result.point > 0 ? articleCopy.earned(unitless(result.point)) : articleCopy.completed}
      </h2>
      {result?.answerDescription && <p className={styles.why}>{result.answerDescription}</p>}
      {article.survey === null && article.memberEducationSid !== null && <Survey sid={article.memberEducationSid} />}
    </section>
  );
}

function focusOnce(heading: HTMLElement | null): void {
  heading?.focus();
}

const OPINIONS = ['GOOD', 'BAD'] as const;

function Survey({ sid }: { sid: number }) {
  const survey = useMutation({
    mutationFn: (opinion: (typeof OPINIONS)[number]) => sendSurvey(sid, opinion),
    onSuccess: ({ point }) => showSnackbar(point > 0 ? articleCopy.earned(unitless(point)) : articleCopy.thanks),
    onError: () => showSnackbar(articleCopy.failed),
  });
  return (
    <div className={styles.survey} role="group" aria-label={articleCopy.survey}>
      <p>{survey.isSuccess ? articleCopy.thanks : articleCopy.survey}</p>
      <div className={styles.opinions}>
        {OPINIONS.map((opinion) => (
          <button
            key={opinion}
            type="button"
            className={styles.opinion}
            aria-pressed={survey.variables === opinion && !survey.isError}
            disabled={survey.isPending || survey.isSuccess}
            onClick={() => {
              haptic('selection');
              survey.mutate(opinion);
            }}
          >
            <Thumb isUp={opinion === 'GOOD'} /> {opinion === 'GOOD' ? articleCopy.good : articleCopy.bad}
          </button>
        ))}
      </div>
    </div>
  );
}

function Thumb({ isUp }: { isUp: boolean }) {
  return (
    <svg className="icon" width={20} height={20} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M7.5 10.5 11.5 3.5c1.7 0 2.8 1.3 2.5 3l-.5 3h5c1.2 0 2.1 1.1 1.8 2.3l-1.5 6.5a2 2 0 0 1-2 1.5H7.5zm0 0h-4v9.3h4z" transform={isUp ? undefined : 'rotate(180 12 12)'} />
    </svg>
  );
}
