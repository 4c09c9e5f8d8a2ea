import { useState } from 'react';
import { TermSheetEntry } from '@/features/learn/glossary/TermSheetEntry';
import { Blocks, drawInline } from './Blocks';
import { parseInline } from './markdown';

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

/** The same for one line, within a heading or a row. */
export function RichLine({ text }: { text: string }) {
  const [word, setWord] = useState<string | null>(null);
  return (
    <>
      {drawInline(parseInline(text), setWord)}
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </>
  );
}
