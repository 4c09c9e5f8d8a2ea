import { useState } from 'react';
import type { Term } from '@/features/learn/learnTypes';
import styles from './Glossary.module.css';
import { TermSheetEntry } from './TermSheetEntry';

/** Words of the glossary as chips that open their explanations. */
export function WordList({ title, terms }: { title: string; terms: readonly Term[] }) {
  const [word, setWord] = useState<string | null>(null);
  return (
    <section className={styles.words}>
      <h2 className={styles.heading}>{title}</h2>
      <ul className={styles.chips}>
        {terms.map((term) => (
          <li key={term.sid}>
            <button type="button" className={styles.chip} onClick={() => setWord(term.sid)}>
              {term.word}
            </button>
          </li>
        ))}
      </ul>
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </section>
  );
}
