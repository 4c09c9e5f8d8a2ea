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

const filled = (filledQty = 1, orderSid = 501) =>
  act(() =>
    emitFill({
      fill: { ...fill, orderSid, fillQty: 1 },
      order: { ...waitingOrder, juQty: 8, filledQty, remainQty: 8 - filledQty, filledAmount: filledQty * 1_000 },
    } as never),
  );

function open(queryClient = createQueryClient()) {
  render(
    <QueryClientProvider client={queryClient}>
      <FillToast onWhy={() => undefined} isQuiet={false} />
    </QueryClientProvider>,
  );
}

describe('the notice of a fill', () => {
  it('disappears after ten seconds, even when fills follow each other', () => {
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

  it('stays as long as the preference asks, where that is longer', () => {
    setPreference({ noticeSeconds: 20 });
    open();
    filled();
    after(19_000);
    expect(screen.getByRole('button')).toBeVisible();
    after(1_100);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('appears at the first and the last fill of an order, not at each one', () => {
    open();
    const notices: string[] = [];
    for (let bit = 1; bit <= 8; bit += 1) {
      filled(bit);
      const toast = screen.queryByRole('button')?.textContent;
      if (toast) notices.push(toast);
      after(11_000);
      expect(screen.queryByRole('button')).toBeNull();
    }
    expect(notices).toHaveLength(2);
    expect(notices[0]).toContain('삼성전자 1주 구매1,000원에 일부 체결됐어요. 7주 남았어요.');
    expect(notices[1]).toContain('삼성전자 8주 구매8,000원에 체결됐어요');
  });

  it('shows the filled quantity so far, and starts over for another order', () => {
    open();
    filled(1);
    filled(3);
    expect(screen.getByText('3,000원에 일부 체결됐어요. 5주 남았어요.')).toBeVisible();
    filled(2, 502);
    expect(screen.getByText('2,000원에 일부 체결됐어요. 6주 남았어요.')).toBeVisible();
    filled(4);
    // The first order has already been announced.
    expect(screen.getByText('2,000원에 일부 체결됐어요. 6주 남았어요.')).toBeVisible();
  });

  it('refetches the account no more than twice for a burst of fills', () => {
    const queryClient = createQueryClient();
    const invalidate = vi.spyOn(queryClient, 'invalidateQueries');
    open(queryClient);
    for (let part = 1; part <= 8; part += 1) filled(part);
    after(5_000);
    expect(invalidate).toHaveBeenCalledTimes(2);
  });
});

describe('the place of a notice', () => {
  const openModal = () => {
    const modal = document.createElement('dialog');
    modal.setAttribute('open', '');
    document.body.append(modal);
    return modal;
  };

  it('is inside the topmost modal, outside of which nothing can be tapped, and follows it', async () => {
    open();
    filled();
    expect(screen.getByRole('button').closest('dialog')).toBeNull();
    let modal = document.body;
    await act(async () => {
      modal = openModal();
      await Promise.resolve();
    });
    expect(modal).toContainElement(screen.getByRole('button'));
    await act(async () => {
      modal.remove();
      await Promise.resolve();
    });
    expect(screen.getByRole('button').closest('dialog')).toBeNull();
  });

  it('is the top of the screen over a panel, and below the bar elsewhere', () => {
    open();
    filled();
    expect(screen.getByRole('status')).not.toHaveAttribute('data-above');
    const modal = openModal();
    after(5_100);
    filled(2, 502);
    expect(screen.getByRole('status')).toHaveAttribute('data-above');
    modal.remove();
  });
});

