import { useState } from 'react';
import { given } from '@/shared/copy/copy.given';
import { Dialog } from '@/shared/ui/Dialog';
import { CloseIcon } from '@/shared/ui/icons';
import { search } from './copy';
import styles from './SearchOverlay.module.css';

interface RecentSearchesProps {
  texts: readonly string[];
  onPick: (text: string) => void;
  onForget: (text: string) => void;
  onForgetAll: () => void;
}

/** Recent searches, newest first: a tap repeats one, the cross deletes it. */
export function RecentSearches({ texts, onPick, onForget, onForgetAll }: RecentSearchesProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section aria-labelledby="recent-searches">
      <div className={styles.head}>
        <h3 id="recent-searches" className={styles.heading}>
          {search.recent}
        </h3>
        {texts.length > 0 && (
          <button type="button" className={styles.forgetAll} onClick={() => setAsking(true)}>
            {search.forgetAll}
          </button>
        )}
      </div>
      {texts.length === 0 ? (
        <p className={styles.none}>{given.noSearchHistory}</p>
      ) : (
        <ul className={styles.recent}>
          {texts.map((text) => (
            <li key={text} className={styles.chip}>
              <button type="button" className={styles.chipText} onClick={() => onPick(text)}>
                {text}
              </button>
              <button type="button" className={styles.chipForget} aria-label={search.forgetOne(text)} onClick={() => onForget(text)}>
                <CloseIcon size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={isAsking}
        title={search.forgetAllQuestion}
        onClose={() => setAsking(false)}
        confirm={{
          label: search.forget,
          tone: 'danger',
          onClick: () => {
            setAsking(false);
            onForgetAll();
          },
        }}
      />
    </section>
  );
}
