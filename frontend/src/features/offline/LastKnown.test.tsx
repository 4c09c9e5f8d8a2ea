import { onlineManager, useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { ErrorState, OfflineBanner } from '@/shared/ui/States';
import { renderApp } from '@/testing/renderApp';
import { MEMBER_SID } from '@/testing/wireSamples';
import { LastKnown } from './LastKnown';
import { wipeLastKnown, readLastKnown, writeLastKnown } from './lastKnown';

const NOW_MS = Date.parse('2026-11-21T12:00:00+09:00');
const owner = { memberSid: MEMBER_SID, build: '1' };
const entry = (name: string, atMs = NOW_MS, data: unknown = name) => ({ key: ['acct', MEMBER_SID, name], atMs, data });

describe('stored data', () => {
  it('is read by the same member and release only, and wiped for others', () => {
    writeLastKnown(owner, [entry('assets')]);
    expect(readLastKnown(owner, NOW_MS)).toHaveLength(1);
    expect(readLastKnown({ ...owner, memberSid: 5 }, NOW_MS)).toEqual([]);
    expect(localStorage.getItem('last-known')).toBeNull();
    writeLastKnown(owner, [entry('assets')]);
    expect(readLastKnown({ ...owner, build: '2' }, NOW_MS)).toEqual([]);
  });

  it('is bounded in number, size and age, the newest first', () => {
    writeLastKnown(owner, Array.from({ length: 100 }, (_, index) => entry(`q${index}`, NOW_MS - index)));
    expect(readLastKnown(owner, NOW_MS).map(({ data }) => data)).toEqual(Array.from({ length: 60 }, (_, index) => `q${index}`));
    writeLastKnown(owner, [entry('huge', NOW_MS, 'x'.repeat(200_001)), entry('small')]);
    expect(readLastKnown(owner, NOW_MS).map(({ data }) => data)).toEqual(['small']);
    expect(readLastKnown(owner, NOW_MS + 8 * 86_400_000)).toEqual([]);
  });

  it('never contains previews', () => {
    writeLastKnown(owner, [entry('order-terms'), entry('holdings')]);
    expect(readLastKnown(owner, NOW_MS).map(({ data }) => data)).toEqual(['holdings']);
  });

  it('has room for screens, not for sparklines', () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({ key: ['sparkline', `${index}`], atMs: NOW_MS, data: 'line' }));
    writeLastKnown(owner, [...lines, entry('popular', NOW_MS - 1)]);
    expect(readLastKnown(owner, NOW_MS).map(({ data }) => data)).toEqual(['popular']);
  });

  it('keeps the last twenty opened articles besides the screens', () => {
    const articles = Array.from({ length: 25 }, (_, index) => ({ key: ['learn', MEMBER_SID, 'article', `a${index}`], atMs: NOW_MS - 1_000 - index, data: `a${index}` }));
    const screens = Array.from({ length: 80 }, (_, index) => entry(`q${index}`, NOW_MS - index));
    writeLastKnown(owner, [...screens, ...articles]);
    const kept = readLastKnown(owner, NOW_MS).map(({ data }) => String(data));
    expect(kept.filter((data) => data.startsWith('a'))).toEqual(Array.from({ length: 20 }, (_, index) => `a${index}`));
    expect(kept.filter((data) => data.startsWith('q'))).toHaveLength(60);
  });

  it('survives an unreadable file', () => {
    localStorage.setItem('last-known', '{');
    expect(readLastKnown(owner, NOW_MS)).toEqual([]);
    expect(wipeLastKnown).not.toThrow();
  });
});

describe('returning offline', () => {
  const build = '';
  const goOffline = () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
  };
  const fetchAssets = vi.fn(() => Promise.resolve('새 자산'));
  function Assets() {
    const assets = useQuery({ queryKey: ['acct', MEMBER_SID, 'assets'], queryFn: fetchAssets });
    if (assets.isError && !assets.data) return <ErrorState onRetry={() => void assets.refetch()} />;
    return <p>{assets.data ?? '아직 몰라요'}</p>;
  }
  const open = () =>
    renderApp(
      <>
        <OfflineBanner />
        <Assets />
        <LastKnown />
      </>,
    );

  beforeEach(() => {
    fetchAssets.mockClear();
    fetchAssets.mockImplementation(() => Promise.resolve('새 자산'));
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
    endSession('logout');
  });

  it('shows the last known data with its time, and refetches once connected', async () => {
    const atMs = Date.now() - 3_600_000;
    writeLastKnown({ memberSid: MEMBER_SID, build }, [{ key: ['acct', MEMBER_SID, 'assets'], atMs, data: '옛 자산' }]);
    goOffline();
    open();
    expect(await screen.findByText('옛 자산')).toBeVisible();
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Seoul' }).format(atMs);
    expect(screen.getByText(new RegExp(`${time} 기준`))).toBeVisible();
    expect(fetchAssets).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('새 자산')).toBeVisible();
  });

  it('reports the error where nothing was stored, and recovers by itself', async () => {
    goOffline();
    const { user } = open();
    expect(await screen.findByText('인터넷 연결을 확인해주세요')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('인터넷 연결을 확인해주세요')).toBeVisible();
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('새 자산')).toBeVisible();
  });

  it('shows the time of the current screen\'s data, not of an older screen', async () => {
    const now = Date.now();
    const kept = (name: string, hoursAgo: number) => ({ key: ['acct', MEMBER_SID, name], atMs: now - hoursAgo * 3_600_000, data: name });
    writeLastKnown({ memberSid: MEMBER_SID, build }, [kept('assets', 1), kept('history', 5)]);
    const timeOf = (hoursAgo: number) =>
      new RegExp(`${new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Seoul' }).format(now - hoursAgo * 3_600_000)} 기준`);
    function History() {
      return <p>{useQuery({ queryKey: ['acct', MEMBER_SID, 'history'], queryFn: () => Promise.resolve('') }).data}</p>;
    }
    function Screens() {
      const [isHome, setHome] = useState(true);
      return (
        <>
          <button onClick={() => setHome(!isHome)}>다른 화면</button>
          {isHome ? <Assets /> : <History />}
        </>
      );
    }
    goOffline();
    const { user } = renderApp(
      <>
        <OfflineBanner />
        <Screens />
        <LastKnown />
      </>,
    );
    expect(await screen.findByText(timeOf(1))).toBeVisible();
    await user.click(screen.getByRole('button', { name: '다른 화면' }));
    expect(await screen.findByText(timeOf(5))).toBeVisible();
    await user.click(screen.getByRole('button', { name: '다른 화면' }));
    expect(await screen.findByText(timeOf(1))).toBeVisible();
  });

  it('retries at once when the connection is back, without waiting for the backoff', async () => {
    fetchAssets.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')));
    function PausedQuery() {
      const assets = useQuery({ queryKey: ['acct', MEMBER_SID, 'assets'], queryFn: fetchAssets, retry: 3, retryDelay: 60_000 });
      return <p>{assets.data ?? `${assets.failureCount}번 실패`}</p>;
    }
    renderApp(
      <>
        <PausedQuery />
        <LastKnown />
      </>,
    );
    await screen.findByText('1번 실패');
    fetchAssets.mockImplementation(() => Promise.resolve('새 자산'));
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('새 자산', undefined, { timeout: 2_000 })).toBeVisible();
  });

  it('refetches once when the connection is back, including what the library refetches by itself', async () => {
    function Money() {
      return <p>{useQuery({ queryKey: ['acct', MEMBER_SID, 'assets'], queryFn: fetchAssets, staleTime: 0 }).data}</p>;
    }
    const { queryClient } = renderApp(
      <>
        <Money />
        <LastKnown />
      </>,
    );
    await screen.findByText('새 자산');
    goOffline();
    vi.restoreAllMocks();
    fetchAssets.mockClear();
    fetchAssets.mockImplementation(() => Promise.resolve('더 새 자산'));
    act(() => void window.dispatchEvent(new Event('online')));
    await screen.findByText('더 새 자산');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(fetchAssets).toHaveBeenCalledTimes(1);
  });

  it('shows no time when it was opened offline without stored data', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onlineManager.setOnline(false);
    open();
    await screen.findByText('인터넷 연결을 확인해주세요');
    expect(screen.queryByText(/기준/)).toBeNull();
  });

  it('shows nothing old while connected', async () => {
    writeLastKnown({ memberSid: MEMBER_SID, build }, [{ key: ['acct', MEMBER_SID, 'assets'], atMs: Date.now(), data: '옛 자산' }]);
    open();
    expect(screen.getByText('아직 몰라요')).toBeVisible();
    expect(await screen.findByText('새 자산')).toBeVisible();
  });

  it('stores replies, and wipes them when the session ends', async () => {
    open();
    await screen.findByText('새 자산');
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(localStorage.getItem('last-known')).toContain('새 자산'));
    act(() => endSession('logout'));
    expect(localStorage.getItem('last-known')).toBeNull();
  });
});
