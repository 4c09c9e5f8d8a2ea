import { useState } from 'react';
import { TermSheetEntry } from '@/features/learn/glossary/TermSheetEntry';
import { Blocks } from './Blocks';

/** Content with its words explained: a tap on one opens a sheet. */
export function RichText({ text }: { text: string }) {
  const [word, setWord] = useState<string | null>(null);
  return (
    <>
      <Blocks text={text} onTerm={setWord} />
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </>
  );
}
