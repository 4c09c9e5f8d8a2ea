import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setConnection } from '@/shared/realtime/connection';
import { FillStatus } from './FillStatus';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  setConnection({ status: 'idle', fills: 'none' });
});

const after = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
const LATE = /체결 알림이 늦어지고 있어요/;

describe('the status of pushed fills', () => {
  it('is shown when fills do not arrive for longer than signing in takes', () => {
    setConnection({ status: 'live', fills: 'waiting' });
    render(<FillStatus />);
    after(2_900);
    expect(screen.queryByText(LATE)).toBeNull();
    after(200);
    expect(screen.getByRole('status')).toHaveTextContent(LATE);
    act(() => setConnection({ fills: 'live' }));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it.each([
    ['live', 'none'],
    ['live', 'live'],
    ['reconnecting', 'waiting'],
    ['lost', 'waiting'],
  ] as const)('is no news while the connection is %s and fills are %s', (status, fills) => {
    setConnection({ status, fills });
    render(<FillStatus />);
    after(10_000);
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });
});
