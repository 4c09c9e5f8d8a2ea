import type { ReactNode } from 'react';
import { type Inline, parseBlocks } from './markdown';
import styles from './RichText.module.css';

interface BlocksProps {
  text: string;
  /** A word of the glossary was tapped; its sid. */
  onTerm: (word: string) => void;
}

/** Paragraphs and lists of content. */
export function Blocks({ text, onTerm }: BlocksProps) {
  return (
    <div className={styles.blocks}>
      {parseBlocks(text).map((block, index) => {
        if (block.kind === 'paragraph') return <p key={index}>{drawInline(block.parts, onTerm)}</p>;
        const items = block.items.map((item, at) => <li key={at}>{drawInline(item, onTerm)}</li>);
        return block.isOrdered ? (
          <ol key={index} className={styles.ordered}>
            {items}
          </ol>
        ) : (
          <ul key={index} className={styles.bullets}>
            {items}
          </ul>
        );
      })}
    </div>
  );
}

/** The pieces of a line; words of the glossary are buttons. */
export function drawInline(parts: readonly Inline[], onTerm: (word: string) => void): ReactNode {
  return parts.map((part, index) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'bold':
        return <strong key={index}>{drawInline(part.parts, onTerm)}</strong>;
      case 'term':
        return (
          <button key={index} type="button" className={styles.term} onClick={() => onTerm(part.word)}>
            {part.shown}
          </button>
        );
    }
  });
}
