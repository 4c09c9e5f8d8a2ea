import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { queryKeys } from '@/shared/api/queryKeys';
import { startSession } from '@/shared/api/session';
import type { Order, OrderBody, OrderTerms } from '@/shared/api/types';
import { tickStore } from '@/shared/realtime/tickStore';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { fill, filledOrder, MEMBER_SID, problem, replyTo, samsung, samsungTerms, waitingOrder } from '@/testing/wireSamples';
import OrderRoute from './OrderRoute';

let sent: OrderBody[] = [];

async function openSheet({ changed, terms = samsungTerms }: { changed: Order; terms?: OrderTerms }) {
  server.use(
    http.get('*/api/v1/stock/real/code/:code', () => HttpResponse.json(samsung)),
    http.get('*/api/v1/invest/member/:id/code/:code', () => HttpResponse.json(terms)),
    http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: changed, fills: [] })),
  );
  const view = renderApp(
    <Routes>
      <Route path="/order/:category/:code" element={<OrderRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at: `/order/stock/005930?side=buy&modify=${changed.orderSid}` },
  );
  await screen.findByText('주문 가능');
  return view;
}

function answerOrders(answer: (body: OrderBody) => Response | Promise<Response>) {
  server.use(
    http.post('*/api/v1/stock/order', async ({ request }) => {
      const body = (await request.json()) as OrderBody;
      sent.push(body);
      return answer(body);
    }),
  );
}

const key = (name: string) => screen.getByRole('button', { name });
const cta = () => screen.getByRole('button', { name: '정정하기' });
const sheet = async () => (await screen.findByRole('heading', { level: 2, name: /할까요\?$/ })).closest('dialog') as HTMLElement;

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  server.use(
    http.post('*/api/v1/invest/preview', () => problem(503, 9007, 'UNAVAILABLE')),
    http.post('*/api/v1/invest/close-request', () => HttpResponse.error()),
  );
  tickStore.clear();
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
});

it('starts with the waiting order, previews the difference, and sends the kind of change', async () => {
  answerOrders((body) => HttpResponse.json({ ...replyTo({ ...waitingOrder, orderSid: 502, juPrc: body.juPrc ?? null }), origOrderSid: 501 }));
  const { user } = await openSheet({ changed: waitingOrder });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('삼성전자 구매 정정');
  expect(screen.getByRole('button', { name: /^가격7/ })).toHaveTextContent('70,000원');
  expect(screen.getByRole('button', { name: /^수량/ })).toHaveTextContent('2주');
  expect(screen.getByText('가격이나 수량을 바꿔주세요')).toBeVisible();
  expect(cta()).toHaveAttribute('aria-disabled', 'true');
  await user.click(key('가격 올리기'));
  await user.click(cta());
  const confirm = await sheet();
  expect(within(confirm).getByRole('heading')).toHaveTextContent('삼성전자 구매 주문을 정정할까요?');
  expect(within(confirm).getByText('70,000원')).toBeVisible();
  await user.click(within(confirm).getByRole('button', { name: '정정하기' }));
  expect(await screen.findByRole('heading', { name: '삼성전자 구매 정정 완료' })).toBeVisible();
  expect(screen.getByText('주문을 바꿨어요. 체결되면 알려드릴게요.')).toBeVisible();
  expect(screen.queryByText('주문을 넣었어요. 체결되면 알려드릴게요.')).toBeNull();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ orderGb: '매수정정', orderSid: 501, orderMoficationType: 'PRICE', juPrc: 70_100, juQty: 2, remainQty: 2 });
});

it('follows fills: typed figures stay, others follow, and the confirmation starts over', async () => {
  let current: Order = { ...waitingOrder, juQty: 10, remainQty: 10 };
  answerOrders((body) => HttpResponse.json(replyTo({ ...current, orderSid: 502, juPrc: body.juPrc ?? null })));
  const { user, queryClient } = await openSheet({ changed: current, terms: { ...samsungTerms, maxBuyQty: 100 } });
  server.use(http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: current, fills: [] })));
  await user.click(key('가격 올리기'));
  await user.click(cta());
  await sheet();
  current = { ...current, status: 'PARTIAL', filledQty: 4, remainQty: 6 };
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.accountAll }));
  expect(await screen.findByText('그사이 주문이 바뀌어서 6주 남았어요. 다시 확인해주세요.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: /할까요\?$/ })).toBeNull());
  expect(screen.getByRole('button', { name: /^수량/ })).toHaveTextContent('6주');
  expect(screen.getByRole('button', { name: /^가격7/ })).toHaveTextContent('70,100원');
  await user.click(cta());
  await user.click(within(await sheet()).getByRole('button', { name: '정정하기' }));
  await screen.findByRole('heading', { name: '삼성전자 구매 정정 완료' });
  expect(sent[0]).toMatchObject({ orderMoficationType: 'PRICE', juPrc: 70_100, juQty: 6, remainQty: 6 });
});

it('stays while the modification is being sent, and until its outcome is loaded', async () => {
  let answer: (response: Response) => void = () => undefined;
  answerOrders(() => new Promise((resolve) => (answer = resolve)));
  const { user, queryClient } = await openSheet({ changed: waitingOrder });
  await user.click(key('가격 올리기'));
  await user.click(cta());
  await user.click(within(await sheet()).getByRole('button', { name: '정정하기' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const over = { ...waitingOrder, status: 'FILLED', filledQty: 2, remainQty: 0 } as const;
  server.use(http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: over, fills: [fill] })));
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.accountAll }));
  expect(screen.queryByText('이미 끝난 주문이라 바꿀 수 없어요')).toBeNull();
  act(() => answer(problem(409, 3015, 'ORDER_ALREADY_FILLED', '이미 체결된 주문이에요.')));
  expect(await screen.findByText('이미 체결된 주문이에요.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '확인' }));
  expect(await screen.findByText('이미 끝난 주문이라 바꿀 수 없어요')).toBeVisible();
  expect(cta()).toHaveAttribute('aria-disabled', 'true');
});

it('counts the order\'s own reservation as available', async () => {
  const { user } = await openSheet({ changed: waitingOrder, terms: { ...samsungTerms, availableCash: 0, maxBuyQty: 0 } });
  await user.click(screen.getByRole('button', { name: /^수량/ }));
  await user.click(key('3'));
  expect(screen.getByRole('alert')).toHaveTextContent('최대 2주까지 살 수 있어요');
  await user.click(key('한 글자 지우기'));
  await user.click(key('1'));
  await user.click(cta());
  expect(await sheet()).toBeVisible();
});

it('reports that the order has already ended', async () => {
  server.use(
    http.get('*/api/v1/stock/real/code/:code', () => HttpResponse.json(samsung)),
    http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: filledOrder, fills: [fill] })),
  );
  renderApp(
    <Routes>
      <Route path="/order/:category/:code" element={<OrderRoute />} />
    </Routes>,
    { at: '/order/stock/005930?side=buy&modify=501' },
  );
  expect(await screen.findByText('이미 끝난 주문이라 바꿀 수 없어요')).toBeVisible();
  expect(screen.getByRole('link', { name: '대기 주문' })).toHaveAttribute('href', '/my/orders/wait');
});
