// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followOtherTabs } from './otherTabs';
import { endSession, memberSid, startSession } from './session';
import { clearSessionCookies, writeSessionCookies } from './sessionCookies';

let stop: () => void = () => undefined;

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: 100_000 });
  stop = followOtherTabs();
});
afterEach(() => stop());

describe('a session change', () => {
  const wakes: [string, () => void][] = [
    ['focus', () => window.dispatchEvent(new Event('focus'))],
    ['pageshow', () => window.dispatchEvent(new Event('pageshow'))],
    ['visibilitychange', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['the word of the other tab', () => window.dispatchEvent(new StorageEvent('storage', { key: 'session-changed' }))],
  ];

  it.each(wakes)('in another tab is noticed on %s', (_name, wake) => {
    clearSessionCookies();
    expect(memberSid()).toBe(100_000);
    wake();
    expect(memberSid()).toBeNull();
    writeSessionCookies({ accessToken: 'theirs', memberSid: 200_000 });
    wake();
    expect(memberSid()).toBe(200_000);
  });

  it('in another tab is noticed when a tab starts to follow afterwards', () => {
    stop();
    clearSessionCookies();
    stop = followOtherTabs();
    expect(memberSid()).toBeNull();
  });

  it('notifies other tabs when the member changes, and only then', () => {
    const mark = () => localStorage.getItem('session-changed');
    const before = mark();
    startSession({ accessToken: 'renewed', memberSid: 100_000 });
    expect(mark()).toBe(before);
    endSession('logout');
    const afterLogout = mark();
    expect(afterLogout).not.toBe(before);
    startSession({ accessToken: 'token', memberSid: 100_000 });
    expect(mark()).not.toBe(afterLogout);
  });

  it('is ignored after stopping', () => {
    stop();
    clearSessionCookies();
    window.dispatchEvent(new Event('focus'));
    expect(memberSid()).toBe(100_000);
  });
});
