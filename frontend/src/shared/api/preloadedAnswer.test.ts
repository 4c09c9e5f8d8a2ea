// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { preloadedAnswer } from './preloadedAnswer';

const READ = '/api/v1/stock/popular/member/0';

function bring(text: string): void {
  document.head.innerHTML = `<script type="application/json" id="first-prices">${text}</script>`;
}

afterEach(() => {
  document.head.innerHTML = '';
  vi.restoreAllMocks();
});

it('is the reply to the read it names, with its time', () => {
  const at = Date.now() - 2_000;
  bring(JSON.stringify({ at, read: READ, answer: [1] }));
  expect(preloadedAnswer(READ)).toEqual({ atMs: at, answer: [1] });
  expect(preloadedAnswer('/api/v1/coin/popular/member/0')).toBeUndefined();
});

it('is undefined on an old page, without embedded prices, or from another release', () => {
  for (const text of [JSON.stringify({ at: Date.now() - 31_000, read: READ, answer: [] }), '', '{"at":"now"}']) {
    bring(text);
    expect(preloadedAnswer(READ)).toBeUndefined();
  }
  document.head.innerHTML = '';
  expect(preloadedAnswer(READ)).toBeUndefined();
});
