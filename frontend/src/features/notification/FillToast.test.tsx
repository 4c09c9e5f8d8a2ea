import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '@/shared/api/queryClient';
import { setPreference } from '@/shared/platform/preferences';
import { emitFill } from '@/shared/realtime/fills';
import { fill, waitingOrder } from '@/testing/wireSamples';
import { FillToast } from './FillToast';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  setPreference({ noticeSeconds: 2 });
  vi.useRealTimers();
});

const after = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

const filled = () => act(() => emitFill({ fill, order: waitingOrder } as never));

function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <FillToast onWhy={() => undefined} isQuiet={false} />
    </QueryClientProvider>,
  );
}

describe('the notice of a fill', () => {
  it('goes after ten seconds, also when one fill follows the other', () => {
    open();
    filled();
    for (let second = 0; second < 9; second += 3) {
      after(3_000);
      expect(screen.getByRole('button')).toBeVisible();
      filled();
    }
    after(1_100);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('stays as long as notices were asked to stay, where that is longer', () => {
    setPreference({ noticeSeconds: 20 });
    open();
    filled();
    after(19_000);
    expect(screen.getByRole('button')).toBeVisible();
    after(1_100);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
