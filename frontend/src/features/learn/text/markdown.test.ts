import { describe, expect, it } from 'vitest';
import { parseBlocks, parseInline, plainText } from './markdown';

describe('the Markdown of content', () => {
  it('divides paragraphs at empty lines and joins lines', () => {
    expect(parseBlocks('하나\n이어져요\n\n\n둘')).toEqual([
      { kind: 'paragraph', parts: [{ kind: 'text', text: '하나 이어져요' }] },
      { kind: 'paragraph', parts: [{ kind: 'text', text: '둘' }] },
    ]);
  });

  it('reads lists, with numbers or without', () => {
    expect(parseBlocks('- 가\n- 나')).toEqual([
      { kind: 'list', isOrdered: false, items: [[{ kind: 'text', text: '가' }], [{ kind: 'text', text: '나' }]] },
    ]);
    expect(parseBlocks('1. 가\n2. 나')[0]).toMatchObject({ isOrdered: true });
  });

  it('keeps a paragraph whose first line only looks like an item', () => {
    expect(parseBlocks('- 가\n나')[0]).toMatchObject({ kind: 'paragraph' });
  });

  it('links words, also inside bold', () => {
    expect(parseInline('**[[시장가 주문|시장가]]는 빨라요.** [[호가]]')).toEqual([
      {
        kind: 'bold',
        parts: [
          { kind: 'term', word: '시장가 주문', shown: '시장가' },
          { kind: 'text', text: '는 빨라요.' },
        ],
      },
      { kind: 'text', text: ' ' },
      { kind: 'term', word: '호가', shown: '호가' },
    ]);
  });

  it('leaves tags and unfinished marks as text', () => {
    expect(parseInline('<b>a</b> **b [[c')).toEqual([{ kind: 'text', text: '<b>a</b> **b [[c' }]);
  });

  it('drops all marks for plain text', () => {
    expect(plainText('**[[시장가 주문|시장가]]**와 [[호가]]')).toBe('시장가와 호가');
  });
});
