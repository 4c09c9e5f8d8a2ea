import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryKeys } from '@/shared/api/queryKeys';
import { endSession, startSession } from '@/shared/api/session';
import { emitFill, emitFillGap, type FillEvent } from '@/shared/realtime/fills';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { tradeCard } from '@/testing/learnSamples';
import { fill, filledOrder, MEMBER_SID } from '@/testing/wireSamples';
import { Notices } from './Notices';

const event = (changes: Partial<FillEvent> = {}): FillEvent => ({ fill, order: filledOrder, raw: {}, ...changes });
const ready = () => waitFor(() => expect(screen.getAllByRole('status').length).toBeGreaterThan(1));

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: filledOrder, fills: [{ ...fill, slippage: 300 }] })),
    http.get('*/api/v1/education/cards/:id', () => HttpResponse.json([])),
  );
});

afterEach(() => vi.useRealTimers());

describe('a fill', () => {
  it('is announced, refetches everything, and opens its receipt', async () => {
    const { user, queryClient, container } = renderApp(<Notices />, { at: '/my' });
    queryClient.setQueryData(queryKeys.assets(MEMBER_SID), { total: 1 });
    await ready();
    act(() => emitFill(event()));
    const toast = await screen.findByRole('button', { name: /삼성전자 3주 구매/ });
    expect(toast).toHaveTextContent('214,200원에 체결됐어요');
    expect(queryClient.getQueryState(queryKeys.assets(MEMBER_SID))?.isInvalidated).toBe(true);

    await user.click(toast);
    expect(await screen.findByText(/그때 시세보다 가격 1단계 비싸게 체결돼요/)).toBeVisible();
    expect(screen.getByText('2026.11.21 00:05:01')).toBeVisible();
    expect(screen.getAllByText('214,200원').length).toBeGreaterThan(0);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('has a receipt that explains its own numbers, also when the card comes later', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/v1/education/cards/:id', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('orderSid'));
        return HttpResponse.json(asked.length === 1 ? [] : [{ ...tradeCard, won: 300, slippageTicks: 1 }]);
      }),
    );
    const { user, container } = renderApp(<Notices />, { at: '/my' });
    await ready();
    act(() => emitFill(event()));
    await user.click(await screen.findByRole('button', { name: /삼성전자 3주 구매/ }));
    expect((await screen.findByText('슬리피지')).closest('div')).toHaveTextContent('300원체결 금액에 포함');
    expect(await screen.findByText('내 주문에서 1틱, 300원이 슬리피지였어요', {}, { timeout: 5_000 })).toBeVisible();
    await user.click(screen.getByRole('button', { name: '이게 뭐예요?' }));
    // What unfolds below the fold is read at once.
    expect(screen.getByRole('group', { name: '내 주문에서 1틱, 300원이 슬리피지였어요' })).toHaveFocus();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('link', { name: '문제 풀어보기' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/study-v2/quiz/card/501/slippage'));
    expect(new Set(asked)).toEqual(new Set(['501']));
  });

  it('in parts adds up while the first notice is still shown', async () => {
    renderApp(<Notices />, { at: '/my' });
    await ready();
    const part = { ...fill, fillQty: 1, amount: 71_400 };
    const after = (filledQty: number) => ({ ...filledOrder, filledQty, remainQty: 3 - filledQty, filledAmount: filledQty * 71_400 });
    act(() => emitFill(event({ fill: part, order: after(1) })));
    expect(await screen.findByText('71,400원에 일부 체결됐어요. 2주 남았어요.')).toBeVisible();
    act(() => emitFill(event({ fill: part, order: after(2) })));
    expect(await screen.findByText('142,800원에 일부 체결됐어요. 1주 남았어요.')).toBeVisible();
  });

  it('is shown for ten seconds at most, whatever follows or rests on it', async () => {
    renderApp(<Notices />, { at: '/my' });
    await ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
    const bitOf = (orderSid: number, filledQty: number) =>
      event({
        fill: { ...fill, orderSid, fillQty: 1, amount: 71_400 },
        order: { ...filledOrder, filledQty, remainQty: 6 - filledQty, filledAmount: filledQty * 71_400 },
      });
    act(() => emitFill(bitOf(501, 1)));
    for (let part = 2; part <= 4; part += 1) {
      pass(3_000);
      act(() => emitFill(bitOf(501, part)));
    }
    expect(screen.getByText('285,600원에 일부 체결됐어요. 2주 남았어요.')).toBeVisible();
    pass(1_001);
    expect(screen.queryByText(/체결됐어요/)).toBeNull();

    act(() => emitFill(bitOf(502, 1)));
    fireEvent.pointerEnter(screen.getByRole('button', { name: /삼성전자 1주 구매/ }));
    pass(9_900);
    expect(screen.getByText('71,400원에 일부 체결됐어요. 5주 남았어요.')).toBeVisible();
    pass(200);
    expect(screen.queryByText(/체결됐어요/)).toBeNull();
    // The pointer on the previous notice does not hold this one.
    act(() => emitFill(bitOf(503, 1)));
    pass(5_100);
    expect(screen.queryByText(/체결됐어요/)).toBeNull();
  });

  it('is left to the order screen while that is open', async () => {
    renderApp(<Notices />, { at: '/order/stock/005930?side=buy' });
    await ready();
    act(() => emitFill(event()));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(screen.queryByText('214,200원에 체결됐어요')).toBeNull();
  });

  it('that may have been missed refetches everything as well', async () => {
    const { queryClient } = renderApp(<Notices />, { at: '/my' });
    queryClient.setQueryData(queryKeys.assets(MEMBER_SID), { total: 1 });
    await ready();
    act(() => emitFillGap());
    expect(queryClient.getQueryState(queryKeys.assets(MEMBER_SID))?.isInvalidated).toBe(true);
  });

  it('and its receipt are not shown to the next member', async () => {
    const pageErrors = vi.spyOn(console, 'error');
    const { user } = renderApp(<Notices />, { at: '/my' });
    await ready();
    act(() => emitFill(event()));
    await user.click(await screen.findByRole('button', { name: /삼성전자 3주 구매/ }));
    await screen.findByText(/그때 시세보다 가격 1단계 비싸게 체결돼요/);
    act(() => emitFill(event()));
    await screen.findByRole('button', { name: /삼성전자 3주 구매/ });
    act(() => startSession({ accessToken: 'theirs', memberSid: MEMBER_SID + 1 }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText(/삼성전자/)).toBeNull();
    expect(pageErrors).not.toHaveBeenCalled();
  });

  it('is not shown to a visitor', () => {
    endSession('logout');
    renderApp(<Notices />, { at: '/my' });
    act(() => emitFill(event()));
    expect(screen.queryByText(/체결됐어요/)).toBeNull();
  });
});
