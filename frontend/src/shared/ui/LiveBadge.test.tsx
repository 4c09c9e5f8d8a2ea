import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setConnection } from '@/shared/realtime/connection';
import { LiveBadge } from './LiveBadge';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  setConnection({ status: 'live', isFeedStale: false, lastTickAtMs: Date.now(), openMarkets: {} });
});
afterEach(() => {
  vi.useRealTimers();
  setConnection({ status: 'idle', isFeedStale: false, liveSinceMs: null, lastTickAtMs: null, openMarkets: {} });
});

describe('the real-time badge', () => {
  it('disappears when a trading market has been silent for a minute', () => {
    setConnection({ openMarkets: { KRX: true, US: false } });
    render(<LiveBadge venues={['KRX', 'US']} />);
    expect(screen.getByText('실시간')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(MINUTE_MS + 10_000));
    expect(screen.queryByText('실시간')).toBeNull();
    expect(screen.queryByText('장 마감')).toBeNull();
  });

  it('disappears when a connection has brought nothing but a snapshot for a minute', () => {
    setConnection({ liveSinceMs: Date.now(), lastTickAtMs: null });
    render(<LiveBadge />);
    act(() => void vi.advanceTimersByTime(MINUTE_MS - 10_000));
    expect(screen.getByText('실시간')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(20_000));
    expect(screen.queryByText('실시간')).toBeNull();
    act(() => setConnection({ liveSinceMs: Date.now() }));
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByText('실시간')).toBeInTheDocument();
  });

  it('does not begin as live in a silence that is already known', () => {
    setConnection({ liveSinceMs: Date.now() - MINUTE_MS - 1_000, lastTickAtMs: null });
    render(<LiveBadge />);
    expect(screen.queryByText('실시간')).toBeNull();
    act(() => setConnection({ lastTickAtMs: Date.now() }));
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByText('실시간')).toBeInTheDocument();
  });

  it('disappears at once when the server reports its prices as stale', () => {
    render(<LiveBadge />);
    expect(screen.getByText('실시간')).toBeInTheDocument();
    act(() => setConnection({ isFeedStale: true }));
    expect(screen.queryByText('실시간')).toBeNull();
  });

  it('reports a closed market, however long it has been silent', () => {
    setConnection({ openMarkets: { KRX: false, US: false, COIN: true } });
    render(<LiveBadge venues={['KRX', 'US']} />);
    act(() => void vi.advanceTimersByTime(10 * MINUTE_MS));
    expect(screen.getByText('장 마감')).toBeInTheDocument();
    act(() => setConnection({ openMarkets: { KRX: true, US: false }, lastTickAtMs: Date.now() }));
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByText('실시간')).toBeInTheDocument();
  });

  it('does not treat an unknown venue as closed', () => {
    render(<LiveBadge venues={['GOLD']} />);
    expect(screen.getByText('실시간')).toBeInTheDocument();
  });

  it('is never green offline, whatever the socket believes, and offers no useless reconnect', () => {
    render(<LiveBadge />);
    expect(screen.getByText('실시간')).toBeInTheDocument();
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.queryByText('실시간')).toBeNull();
    expect(screen.getByRole('status')).toHaveTextContent('다시 연결하는 중');
    act(() => setConnection({ status: 'lost' }));
    expect(screen.queryByRole('button')).toBeNull();
    network.mockRestore();
    act(() => {
      setConnection({ status: 'live' });
      window.dispatchEvent(new Event('online'));
    });
    expect(screen.getByText('실시간')).toBeInTheDocument();
  });

  it('reports a lost connection first', () => {
    setConnection({ status: 'lost', openMarkets: { GOLD: false } });
    render(<LiveBadge venues={['GOLD']} />);
    expect(screen.getByRole('status')).toHaveTextContent('실시간 연결이 끊겼어요');
  });
});
