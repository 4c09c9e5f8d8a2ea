import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tokenOf } from '@/testing/tokens';
import { expiresSoon, isExpired, recordNewToken, recordServerDate } from './tokenExpiry';

const NOW_MS = Date.parse('2026-11-24T12:00:00+09:00');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const endsIn = (ms: number, serverMs = NOW_MS) => tokenOf({ madeMs: serverMs + ms - 15 * MINUTE_MS });
const dated = (atMs: number) => new Response(null, { headers: { Date: new Date(atMs).toUTCString() } });

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  recordServerDate(dated(NOW_MS));
});
afterEach(() => vi.useRealTimers());

describe('the end of a token', () => {
  it('is soon within a minute', () => {
    expect(expiresSoon(endsIn(61_000))).toBe(false);
    expect(expiresSoon(endsIn(59_000))).toBe(true);
    expect(expiresSoon(endsIn(-HOUR_MS))).toBe(true);
  });

  it('is there when its time has come', () => {
    expect(isExpired(endsIn(1_000))).toBe(false);
    expect(isExpired(endsIn(0))).toBe(true);
  });

  it.each([-HOUR_MS, HOUR_MS])('is computed by the server’s clock where the device’s is %i ms off', (offMs) => {
    vi.setSystemTime(NOW_MS + offMs);
    recordServerDate(dated(NOW_MS));
    expect(expiresSoon(endsIn(10 * MINUTE_MS))).toBe(false);
    expect(expiresSoon(endsIn(30_000))).toBe(true);
    vi.setSystemTime(NOW_MS + offMs + 10 * MINUTE_MS);
    expect(expiresSoon(endsIn(10 * MINUTE_MS))).toBe(true);
  });

  it('is not soon for a new token, whatever the clocks say', () => {
    vi.setSystemTime(NOW_MS + HOUR_MS);
    recordNewToken(tokenOf({ madeMs: NOW_MS }));
    expect(expiresSoon(tokenOf({ madeMs: NOW_MS }))).toBe(false);
  });

  it.each(['', 'token', 'a.b.c', `a.${btoa('null')}.c`, `a.${btoa('{"sub":"1"}')}.c`])('is unknown for %j', (token) => {
    recordNewToken(token);
    expect([expiresSoon(token), isExpired(token)]).toEqual([false, false]);
  });

  it('is unchanged by a reply without a date', () => {
    recordServerDate(new Response(null));
    expect(expiresSoon(endsIn(59_000))).toBe(true);
  });
});
