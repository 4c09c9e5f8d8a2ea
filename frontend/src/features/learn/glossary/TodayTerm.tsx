import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { learnPaths } from '@/features/learn/learnPaths';
import { Section } from '@/shared/ui/Section';
import { glossaryQuery } from '@/features/learn/learnQueries';
import { glossaryCopy } from './copy';
import styles from './Glossary.module.css';
import { TermSheetEntry } from './TermSheetEntry';
import { termOfDay } from './termOfDay';

/** One word a day, the same for everybody. Nothing while there is none. */
export function TodayTerm({ now = new Date() }: { now?: Date }) {
  const { data = [] } = useQuery(glossaryQuery(''));
  const [word, setWord] = useState<string | null>(null);
  const term = termOfDay(data, now);
  if (term === null) return null;
  return (
    <Section title={glossaryCopy.today} all={learnPaths.glossary}>
      <button type="button" className={styles.today} onClick={() => setWord(term.sid)}>
        <span className={styles.word}>{term.word}</span>
        <span className={styles.rowGist}>{term.gist}</span>
      </button>
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </Section>
  );
}
