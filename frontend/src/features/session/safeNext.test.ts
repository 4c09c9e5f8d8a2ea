// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { safeNext } from './safeNext';

describe('the path after signing in', () => {
  it.each(['/invest-v2/stock/005930', '/order/stock/005930?side=buy', '/my#level'])('follows %s', (next) => {
    expect(safeNext(next, '/x')).toBe(next);
  });

  it.each([
    null,
    '',
    'https://evil.example/x',
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'my/holdings',
    '/login',
    '/login?next=/login',
    '/join',
    '/..//evil.example/..//',
  ])('does not follow %s', (next) => {
    expect(safeNext(next, '/x')).toBe('/x');
  });
});
