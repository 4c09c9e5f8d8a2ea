import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { given } from '@/shared/copy/copy.given';
import { paths } from '@/shared/paths';
import { SearchField } from '@/shared/ui/SearchField';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { useDebounced } from '@/shared/ui/useDebounced';
import { glossaryQuery } from '@/features/learn/learnQueries';
import { glossaryCopy } from './copy';
import styles from './Glossary.module.css';
import { TermSheetEntry } from './TermSheetEntry';

const DEBOUNCE_MS = 200;
const SKELETON_ROWS = 8;

/** All words that the product explains, and a search in them. `sid` in the address opens one. */
export function GlossaryPage({ sid }: { sid: string | null }) {
  const [text, setText] = useState('');
  const [word, setWord] = useState<string | null>(sid);
  const asked = useDebounced(text.trim(), DEBOUNCE_MS);
  const { data, error, refetch } = useQuery(glossaryQuery(asked));
  return (
    <>
      <TopBar title={glossaryCopy.screen} backTo={paths.learn} />
      <main id="main">
        <div className={styles.search}>
          <SearchField label={glossaryCopy.screen} placeholder={glossaryCopy.placeholder} value={text} onChange={setText} />
        </div>
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton rows={SKELETON_ROWS} />)}
        {data && (
          <>
            <p className="sr-only" role="status">
              {asked !== '' && glossaryCopy.count(data.length)}
            </p>
            {data.length === 0 && <EmptyState title={given.searchEmpty(asked)} />}
            <ul>
              {data.map((term) => (
                <li key={term.sid}>
                  <button type="button" className={styles.row} onClick={() => setWord(term.sid)}>
                    <span className={styles.word}>{term.word}</span>
                    <span className={styles.rowGist}>{term.gist}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </main>
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </>
  );
}
