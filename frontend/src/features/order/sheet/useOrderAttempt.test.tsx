import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import type { OrderReply } from '@/shared/api/types';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { filledOrder, MEMBER_SID, problem, replyTo, samsung, waitingOrder } from '@/testing/wireSamples';
import { placeBody } from '@/features/order/rules/orderBodies';
import { UnresolvedOrders } from '@/features/order/UnresolvedOrders';
import { unresolvedOrders } from '@/features/order/unresolvedOrders';
import { useOrderAttempt } from './useOrderAttempt';

const draft = {
  acno: '00',
  item: samsung,
  entry: { side: 'buy', kind: 'limit', limitPrice: 70_000, qty: 2 },
  seenPrice: null,
  isRiskAccepted: false,
} as const;

function Sheet() {
  const attempt = useOrderAttempt({ memberSid: MEMBER_SID, category: 'stock', code: samsung.isuSrtCd, orderGb: '매수주문', orderSid: null });
  return (
    <>
      <button onClick={() => attempt.submit(placeBody(MEMBER_SID, 'stock', draft))}>confirm</button>
      <button onClick={() => attempt.submit(placeBody(MEMBER_SID, 'stock', { ...draft, entry: { ...draft.entry, qty: 3 } }))}>confirm another</button>
      <button onClick={attempt.sendAgain}>again</button>
      <output>{attempt.isSending ? 'sending' : attempt.outcome?.kind}</output>
    </>
  );
}

function Screen() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      {isOpen && <Sheet />}
      <button onClick={() => setOpen(false)}>close</button>
      <UnresolvedOrders memberSid={MEMBER_SID} />
    </>
  );
}

let finish: (() => void)[] = [];

/** Order replies are released by the test; status requests are answered at once. */
function answers(order: () => Response, question: () => Response): void {
  server.use(
    http.post('*/api/v1/stock/order', async () => {
      await new Promise<void>((resolve) => finish.push(resolve));
      return order();
    }),
    http.post('*/api/v1/invest/close-request', question),
  );
}
const reply = (body: OrderReply) => () => HttpResponse.json(body);
const isBack = () => act(() => void window.dispatchEvent(new Event('online')));

beforeEach(() => {
  sessionStorage.clear();
  finish = [];
});

const tooDear = () => problem(422, 3_005, 'INSUFFICIENT_CASH', '돈이 모자라요.');
it.each([
  ['an accepted limit order', reply(replyTo(waitingOrder)), reply(replyTo(waitingOrder)), '주문이 들어갔어요'],
  ['a rejection', tooDear, tooDear, '돈이 모자라요.'],
])('%s that is answered after the sheet was closed is reported on the current screen', async (_name, order, question, message) => {
  answers(order, question);
  const { user } = renderApp(<Screen />);
  await user.click(screen.getByRole('button', { name: 'confirm' }));
  await waitFor(() => expect(finish).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'close' }));
  await act(async () => {
    finish[0]?.();
    await new Promise((resolve) => setTimeout(resolve, 30));
  });
  isBack();
  expect(await screen.findByRole('alertdialog', { name: '삼성전자 2주 구매 주문' })).toHaveTextContent(message);
  expect(unresolvedOrders(MEMBER_SID)).toEqual([]);
});

it('an outcome shown by the open sheet is not reported elsewhere', async () => {
  answers(reply(replyTo(filledOrder)), () => HttpResponse.error());
  const { user } = renderApp(<Screen />);
  await user.click(screen.getByRole('button', { name: 'confirm' }));
  await waitFor(() => expect(finish).toHaveLength(1));
  act(() => finish[0]?.());
  expect(await screen.findByText('done')).toBeVisible();
  expect(unresolvedOrders(MEMBER_SID)).toEqual([]);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('sends the shown order again, not the newest', async () => {
  const sent: { reqSid: string; juQty: number }[] = [];
  server.use(
    http.post('*/api/v1/stock/order', async ({ request }) => {
      sent.push((await request.json()) as (typeof sent)[number]);
      return HttpResponse.error();
    }),
    http.post('*/api/v1/invest/close-request', () => HttpResponse.error()),
  );
  const { user } = renderApp(<Sheet />);
  for (const [place, name] of ['confirm', 'confirm another', 'confirm', 'again'].entries()) {
    await user.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(sent).toHaveLength(place + 1));
    await screen.findByText('unknown');
  }
  expect(sent.map(({ juQty }) => juQty)).toEqual([2, 3, 2, 2]);
  expect(sent[3]?.reqSid).toBe(sent[0]?.reqSid);
});

it('is one order over a lost reply, a body that came too late and a success', async () => {
  const sent: string[] = [];
  const lost = () => HttpResponse.error();
  const tooLate = () => problem(408, 9_012, 'REQUEST_TIMEOUT', '요청이 끝까지 오지 않았어요.');
  const replies: (() => Response)[] = [lost, tooLate, reply(replyTo(filledOrder))];
  server.use(
    http.post('*/api/v1/stock/order', async ({ request }) => {
      sent.push(((await request.json()) as { reqSid: string }).reqSid);
      return (replies.shift() ?? lost)();
    }),
    http.post('*/api/v1/invest/close-request', lost),
  );
  const { user } = renderApp(<Sheet />);
  for (const [place, outcome] of ['unknown', 'unknown', 'done'].entries()) {
    await user.click(screen.getByRole('button', { name: 'confirm' }));
    await waitFor(() => expect(sent).toHaveLength(place + 1));
    await screen.findByText(outcome);
  }
  expect(new Set(sent).size).toBe(1);
  expect(unresolvedOrders(MEMBER_SID)).toEqual([]);
});
