import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeys } from '@/shared/api/queryKeys';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { filledOrder, MEMBER_SID, problem, replyTo } from '@/testing/wireSamples';
import { newAttempt } from './orderAttempt';
import { UnresolvedOrders } from './UnresolvedOrders';
import { lockOrder, rememberOrder, unresolvedOrders } from './unresolvedOrders';

let asked: string[] = [];

function remembered(memberSid = MEMBER_SID): string {
  const attempt = newAttempt('stock', {
    isuSrtCd: '005930',
    isuKorNm: '삼성전자',
    memberSid,
    orderGb: '매수주문',
    orderCategory: 'STOCK',
    juPrc: null,
    juQty: 3,
  });
  rememberOrder(attempt);
  return attempt.body.reqSid;
}

function answerQuestions(...answers: (() => Response)[]): void {
  server.use(
    http.post('*/api/v1/invest/close-request', async ({ request }) => {
      asked.push(((await request.json()) as { reqSid: string }).reqSid);
      return (answers.shift() ?? HttpResponse.error)();
    }),
  );
}

beforeEach(() => {
  sessionStorage.clear();
  asked = [];
});
afterEach(() => vi.restoreAllMocks());

it('reports the outcomes of unresolved orders one at a time, and refetches everything', async () => {
  const [first, second] = [remembered(), remembered()];
  remembered(MEMBER_SID + 1);
  answerQuestions(
    () => HttpResponse.json(replyTo(filledOrder)),
    () => problem(422, 3024, 'ORDER_NOT_RECEIVED', '주문이 접수되지 않았어요. 다시 주문해 주세요.'),
  );
  const { user, queryClient, container } = renderApp(<UnresolvedOrders memberSid={MEMBER_SID} />, { at: '/home' });
  queryClient.setQueryData(queryKeys.assets(MEMBER_SID), { total: 1 });
  const dialog = await screen.findByRole('alertdialog', { name: '삼성전자 3주 구매 주문' });
  expect(dialog).toHaveTextContent('214,200원에 체결됐어요');
  expect(await axeViolations(container)).toEqual([]);
  await waitFor(() => expect(asked).toEqual([first, second]));
  expect(queryClient.getQueryState(queryKeys.assets(MEMBER_SID))?.isInvalidated).toBe(true);
  await user.click(within(dialog).getByRole('button', { name: '확인' }));
  expect(await screen.findByText(/주문이 접수되지 않았어요/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: '확인' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(unresolvedOrders(MEMBER_SID)).toEqual([]);
  expect(unresolvedOrders(MEMBER_SID + 1)).toHaveLength(1);
});

it('retries when the connection is back, and skips an order whose sheet is open', async () => {
  const [open, lost] = [remembered(), remembered()];
  const release = lockOrder(open);
  answerQuestions(
    () => problem(503, 9007, 'UNAVAILABLE'),
    () => HttpResponse.json(replyTo(filledOrder)),
    () => HttpResponse.json(replyTo(filledOrder)),
  );
  renderApp(<UnresolvedOrders memberSid={MEMBER_SID} />, { at: '/home' });
  await waitFor(() => expect(asked).toEqual([lost]));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  const online = () => act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => {
    online();
    expect(asked).toEqual([lost, lost]);
  });
  expect(await screen.findByRole('alertdialog')).toBeVisible();
  release();
  await waitFor(() => {
    online();
    expect(asked).toEqual([lost, lost, open]);
  });
});

it('leaves an order to its sheet while the sheet loads, and resolves it if none comes', async () => {
  const reqSid = remembered();
  answerQuestions(() => HttpResponse.json(replyTo(filledOrder)));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  renderApp(<UnresolvedOrders memberSid={MEMBER_SID} />, { at: '/order/stock/005930?side=buy' });
  act(() => void window.dispatchEvent(new Event('pageshow')));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(asked).toEqual([]);
  act(() => void vi.advanceTimersByTime(5_000));
  vi.useRealTimers();
  expect(await screen.findByRole('alertdialog', { name: '삼성전자 3주 구매 주문' })).toBeVisible();
  expect(asked).toEqual([reqSid]);
});

it('shows nothing without unresolved orders', async () => {
  answerQuestions();
  renderApp(<UnresolvedOrders memberSid={MEMBER_SID} />, { at: '/home' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(asked).toEqual([]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
