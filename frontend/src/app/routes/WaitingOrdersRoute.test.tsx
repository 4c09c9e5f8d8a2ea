import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { Order, OrderBody } from '@/shared/api/types';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, replyTo, samsung, waitingOrder } from '@/testing/wireSamples';
import WaitingOrdersRoute from './WaitingOrdersRoute';

let orders: Order[] = [];
let sent: OrderBody[] = [];

const open = async (at = '/my/orders/wait') => {
  const view = renderApp(<WaitingOrdersRoute />, { at });
  await waitFor(() => expect(screen.getByRole('tabpanel')).toHaveAttribute('aria-busy', 'false'));
  return view;
};

const answerCancel = (answer: (attempt: number) => Response) =>
  server.use(
    http.post('*/api/v1/stock/order', async ({ request }) => {
      sent.push((await request.json()) as OrderBody);
      return answer(sent.length);
    }),
  );

const openMenu = (user: Awaited<ReturnType<typeof open>>['user']) =>
  user.click(screen.getByRole('button', { name: '삼성전자 주문 정정하거나 취소하기' }));

async function cancelFirst(user: Awaited<ReturnType<typeof open>>['user'], whatIsLeft = '구매 2주 · 70,000원') {
  await openMenu(user);
  await user.click(await screen.findByRole('menuitem', { name: '취소' }));
  const dialog = (await screen.findByRole('heading', { name: '주문을 취소할까요?' })).closest('dialog') as HTMLElement;
  expect(dialog).toHaveTextContent(whatIsLeft);
  await user.click(within(dialog).getByRole('button', { name: '주문 취소' }));
}

beforeEach(() => {
  orders = [waitingOrder];
  sent = [];
  tickStore.clear();
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/stock/wait/member/:sid', () => HttpResponse.json(orders)),
    http.get('*/api/v1/coin/wait/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/commodity/wait/member/:sid', () => HttpResponse.json([])),
  );
});

describe('waiting orders', () => {
  it('show side, quantity, price, Korean time, and the distance of the price', async () => {
    await open();
    const row = screen.getByRole('listitem');
    expect(row).toHaveTextContent('구매');
    expect(row).toHaveTextContent('2주 · 70,000원');
    expect(row).toHaveTextContent('00:05');
    expect(row).toHaveTextContent('묶어둔 돈 140,021원');
    act(() => tickStore.apply([{ ...tickFromItem(samsung), price: 71_400 }]));
    await waitFor(() => expect(row).toHaveTextContent('현재가보다 1.96% 낮아요'));
  });

  it('show no reserved money for a sale', async () => {
    orders = [{ ...waitingOrder, side: 'SELL', heldAmount: 0 }];
    await open();
    expect(screen.getByRole('listitem')).not.toHaveTextContent('묶어둔');
  });

  it('are sorted newest first, or as requested', async () => {
    orders = [
      { ...waitingOrder, orderSid: 502, isuKorNm: '하이브' },
      { ...waitingOrder, orderSid: 503, isuKorNm: '가온칩스' },
      { ...waitingOrder, orderSid: 501, isuKorNm: '삼성전자' },
    ];
    const { user } = await open();
    const names = () => screen.getAllByRole('listitem').map((row) => /하이브|가온칩스|삼성전자/.exec(row.textContent)?.[0]);
    expect(names()).toEqual(['가온칩스', '하이브', '삼성전자']);
    await user.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '오래된 주문순');
    expect(names()).toEqual(['삼성전자', '하이브', '가온칩스']);
    await user.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '이름순');
    expect(names()).toEqual(['가온칩스', '삼성전자', '하이브']);
  });

  it('are canceled once, in the given words, and leave the list', async () => {
    answerCancel(() => {
      orders = [];
      return HttpResponse.json(replyTo({ ...waitingOrder, status: 'CANCELED', statusName: '취소' }));
    });
    const { user } = await open();
    await cancelFirst(user);
    await screen.findByText('삼성전자 구매 취소 완료');
    expect(await screen.findByText('대기 중인 주문이 없어요')).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ orderGb: '매수취소', orderSid: 501, memberSid: MEMBER_SID });
    // It cancels whatever remains by then.
    for (const figure of ['juPrc', 'juQty', 'remainQty']) expect(sent[0]).not.toHaveProperty(figure);
  });

  it('that filled first say so and are refetched', async () => {
    answerCancel(() => {
      orders = [];
      return problem(409, 3015, 'ORDER_ALREADY_FILLED');
    });
    const { user } = await open();
    await cancelFirst(user);
    await screen.findByText('이미 체결된 주문이에요');
    expect(await screen.findByText('대기 중인 주문이 없어요')).toBeVisible();
  });

  it('repeat the same request after a lost reply', async () => {
    answerCancel((attempt) => (attempt === 1 ? HttpResponse.error() : HttpResponse.json(replyTo({ ...waitingOrder, status: 'CANCELED' }))));
    const { user } = await open();
    await cancelFirst(user);
    await screen.findByText('취소됐는지 확인하지 못했어요. 목록에서 확인해주세요.');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await cancelFirst(user);
    await screen.findByText('삼성전자 구매 취소 완료');
    expect(sent[1]).toEqual(sent[0]);
  });

  it('repeat it, too, after a body that came too late', async () => {
    const replies: (() => Response)[] = [() => HttpResponse.error(), () => problem(408, 9012, 'REQUEST_TIMEOUT', '요청이 끝까지 오지 않았어요.')];
    answerCancel((attempt) => replies[attempt - 1]?.() ?? HttpResponse.json(replyTo({ ...waitingOrder, status: 'CANCELED' })));
    const { user } = await open();
    for (const attempt of [1, 2]) {
      await cancelFirst(user);
      await waitFor(() => expect(sent).toHaveLength(attempt));
      await screen.findByText('취소됐는지 확인하지 못했어요. 목록에서 확인해주세요.');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(screen.queryByText('요청이 끝까지 오지 않았어요.')).toBeNull();
    }
    await cancelFirst(user);
    await screen.findByText('삼성전자 구매 취소 완료');
    expect(sent).toEqual([sent[0], sent[0], sent[0]]);
  });

  it('repeat it even when the order has changed in between, and the screen was left', async () => {
    answerCancel((attempt) => (attempt === 1 ? HttpResponse.error() : HttpResponse.json(replyTo({ ...waitingOrder, status: 'CANCELED' }))));
    const { user, unmount } = await open();
    await cancelFirst(user);
    await screen.findByText('취소됐는지 확인하지 못했어요. 목록에서 확인해주세요.');
    unmount();
    orders = [{ ...waitingOrder, status: 'PARTIAL', filledQty: 1, remainQty: 1, juPrc: 69_000 }];
    const later = await open();
    await cancelFirst(later.user, '구매 1주 · 69,000원');
    await screen.findByText('삼성전자 구매 취소 완료');
    expect(sent[1]).toEqual(sent[0]);
  });

  it('lead to the order screen to be modified, from the menu and from the swiped row', async () => {
    const { user, container } = await open();
    await openMenu(user);
    const entry = await screen.findByRole('menuitem', { name: '정정' });
    entry.focus();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: '취소' })).toHaveFocus();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(entry);
    expect(screen.getByTestId('address')).toHaveTextContent('/order/stock/005930?side=buy&modify=501');
  });

  it('of gold are counted in grams', async () => {
    server.use(
      http.get('*/api/v1/commodity/wait/member/:sid', () =>
        HttpResponse.json([{ ...waitingOrder, isuSrtCd: '04020000', isuKorNm: '금 99.99_1Kg', marketCode: 'GOLD', orderCategory: 'GOLD' }]),
      ),
    );
    const { user } = await open();
    await user.click(screen.getByRole('tab', { name: '금 1' }));
    expect(await screen.findByText('2g · 70,000원')).toBeVisible();
  });

  it('open on the tab of the newest, and are counted on every tab', async () => {
    const bitcoin: Order = { ...waitingOrder, orderSid: 502, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN', orderCategory: 'COIN' };
    orders = [waitingOrder, { ...waitingOrder, orderSid: 500 }];
    let coins = [bitcoin];
    server.use(http.get('*/api/v1/coin/wait/member/:sid', () => HttpResponse.json(coins)));
    const { user, queryClient } = await open();
    expect(screen.getByRole('tab', { name: '코인 1' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('listitem')).toHaveTextContent('비트코인');
    expect(screen.getByRole('tab', { name: '주식 2' })).toBeVisible();
    expect(screen.getByRole('tab', { name: '금' })).toBeVisible();
    // A fill does not switch the tab.
    coins = [];
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText('대기 중인 주문이 없어요')).toBeVisible();
    expect(screen.getByRole('tab', { name: '코인' })).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('tab', { name: '주식 2' }));
    expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  });

  it('open on the tab of the address, whatever is newer elsewhere', async () => {
    await open('/my/orders/wait?tab=gold');
    expect(screen.getByRole('tab', { name: '금' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByText('대기 중인 주문이 없어요')).toBeVisible();
  });

  it('by amount can be canceled but not modified', async () => {
    orders = [{ ...waitingOrder, juPrc: null, orderAmount: 300_000 }];
    const { user } = await open();
    await openMenu(user);
    expect(await screen.findByRole('menuitem', { name: '취소' })).toBeVisible();
    expect(screen.queryByRole('menuitem', { name: '정정' })).toBeNull();
  });

  it('of coins are under their own tab', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('tab', { name: '코인' }));
    expect(await screen.findByText('대기 중인 주문이 없어요')).toBeVisible();
  });

  it('are accessible', async () => {
    const { container } = await open();
    expect(await axeViolations(container)).toEqual([]);
  });
});
