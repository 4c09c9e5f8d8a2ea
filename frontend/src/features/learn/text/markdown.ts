/** A piece of a line: plain words, bold ones, or a word of the glossary. */
export type Inline = { kind: 'text'; text: string } | { kind: 'bold'; parts: Inline[] } | { kind: 'term'; word: string; shown: string };

type Block = { kind: 'paragraph'; parts: Inline[] } | { kind: 'list'; isOrdered: boolean; items: Inline[][] };

const ITEM = /^(?:[-*]|(\d+)\.)\s+/;

/** The blocks of a text: paragraphs and lists, divided by empty lines. Other Markdown does not occur and stays as written. */
export function parseBlocks(text: string): Block[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const lines = part.trim().split('\n').map((line) => line.trim());
      const first = ITEM.exec(lines[0] ?? '');
      if (first && lines.every((line) => ITEM.test(line))) {
        return { kind: 'list', isOrdered: first[1] !== undefined, items: lines.map((line) => parseInline(line.replace(ITEM, ''))) };
      }
      return { kind: 'paragraph', parts: parseInline(lines.join(' ')) };
    });
}

const BOLD_OR_TERM = /\*\*(.+?)\*\*|\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/g;

/** The pieces of one line. */
export function parseInline(line: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of line.matchAll(BOLD_OR_TERM)) {
    if (match.index > end) parts.push({ kind: 'text', text: line.slice(end, match.index) });
    const [whole, bold, word = '', shown] = match;
    parts.push(bold === undefined ? { kind: 'term', word, shown: shown ?? word } : { kind: 'bold', parts: parseInline(bold) });
    end = match.index + whole.length;
  }
  if (end < line.length) parts.push({ kind: 'text', text: line.slice(end) });
  return parts;
}

/** The words without any marks, for places that show plain text. */
export function plainText(line: string): string {
  return line.replaceAll(BOLD_OR_TERM, (_, bold: string | undefined, word: string | undefined, shown: string | undefined) =>
    bold === undefined ? (shown ?? word ?? '') : plainText(bold),
  );
}
