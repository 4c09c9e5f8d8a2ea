import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import { Sheet } from '@/shared/ui/Sheet';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { termQuery } from '@/features/learn/learnQueries';
import { Blocks } from '@/features/learn/text/Blocks';
import { glossaryCopy } from './copy';
import styles from './Glossary.module.css';

/** Explains a word where it is read; words within the explanation open in the same sheet. Null closes it. */
export function TermSheet({ word, onClose }: { word: string | null; onClose: () => void }) {
  const [next, setNext] = useState<string | null>(null);
  const shown = next ?? word;
  return (
    <Sheet
      open={word !== null}
      title={shown ?? ''}
      onClose={() => {
        setNext(null);
        onClose();
      }}
    >
      {shown !== null && <TermText key={shown} sid={shown} onTerm={setNext} />}
    </Sheet>
  );
}

/** What a word means; fetched once and kept for offline reading. */
function TermText({ sid, onTerm }: { sid: string; onTerm: (sid: string) => void }) {
  const { data, error, refetch } = useQuery(termQuery(sid));
  if (!data) {
    if (isProblem(error, 'STUDY_NOT_FOUND')) return <p className={styles.text}>{glossaryCopy.unknown}</p>;
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return (
      <div className={styles.term} aria-busy="true">
        <Bone width="70%" height={22} />
        <Bone width="100%" height={18} />
        <Bone width="90%" height={18} />
      </div>
    );
  }
  return (
    <div className={styles.term}>
      <p className={styles.gist}>{data.gist}</p>
      <div className={styles.text}>
        <Blocks text={data.text} onTerm={onTerm} />
      </div>
      {data.aliases.length > 0 && <p className={styles.aliases}>{glossaryCopy.aliases(data.aliases.join(', '))}</p>}
      <p className={styles.aliases}>{glossaryCopy.theme(data.themeName)}</p>
    </div>
  );
}
