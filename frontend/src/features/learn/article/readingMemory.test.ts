// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { forgetReadingPosition, keepReaderSize, keepReadingPosition, readingPosition, storedReaderSize } from './readingMemory';

beforeEach(() => localStorage.clear());

it('remembers where each article was left, within its middle', () => {
  keepReadingPosition('stocks-1', 0.4);
  keepReadingPosition('stocks-2', 0.02);
  keepReadingPosition('stocks-3', 0.99);
  expect(readingPosition('stocks-1')).toBe(0.4);
  expect(readingPosition('stocks-2')).toBeNull();
  expect(readingPosition('stocks-3')).toBeNull();
  forgetReadingPosition('stocks-1');
  expect(readingPosition('stocks-1')).toBeNull();
});

it('keeps the newest fifty', () => {
  for (let index = 0; index < 60; index += 1) keepReadingPosition(`a-${index}`, 0.5);
  expect(readingPosition('a-9')).toBeNull();
  expect(readingPosition('a-10')).toBe(0.5);
});

it('survives a store that somebody else wrote', () => {
  localStorage.setItem('reading-positions', '{"a":1}');
  expect(readingPosition('a')).toBeNull();
  localStorage.setItem('reading-positions', 'nonsense');
  expect(readingPosition('a')).toBeNull();
  localStorage.setItem('reader-size', 'huge');
  expect(storedReaderSize()).toBe('normal');
  keepReaderSize('large');
  expect(storedReaderSize()).toBe('large');
});
