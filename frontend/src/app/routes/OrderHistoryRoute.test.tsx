import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ReceiptHost } from '@/features/order/history/ReceiptSheet';
import { startSession } from '@/shared/api/session';
import type { Order } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { firstSeason, secondSeason } from '@/testing/seasonSamples';
import { server } from '@/testing/server';
import { assets, fill, filledOrder, MEMBER_SID, problem, waitingOrder } from '@/testing/wireSamples';
import OrderHistoryRoute from './OrderHistoryRoute';

// Ten minutes apart: two days in Korea, one in UTC.
const late: Order = { ...filledOrder, orderSid: 9, orderTime: '2026-11-21T00:05:00+09:00' };
const early: Order = { ...waitingOrder, orderSid: 8, orderTime: '2026-11-20T23:55:00+09:00', status: 'CANCELED', statusName: '취소' };

let asked: string[] = [];
let seasons = firstSeason;

const answer = (reply: (query: URLSearchParams) => Response) =>
  server.use(
    http.get('*/api/v1/orderHistory/:category/member/:sid/:type', ({ request, params }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${String(params.category)} ${String(params.type)} ${searchParams.get('startDate')}..${searchParams.get('endDate')} ${searchParams.get('cursor')}${searchParams.has('season') ? ` in ${searchParams.get('season')}` : ''}`);
      return reply(searchParams);
    }),
    http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: filledOrder, fills: [fill] })),
  );

const open = (at = '/my/orders/history?tab=stock') =>
  renderApp(
    <>
      <OrderHistoryRoute />
      <ReceiptHost />
    </>,
    { at },
  );

beforeEach(() => {
  asked = [];
  seasons = firstSeason;
  server.use(
    http.get('*/api/v1/invest/season/member/:sid', () => HttpResponse.json(seasons)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
  );
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T05:00:00Z') });
  return () => vi.useRealTimers();
});

describe('the order history', () => {
  it('is of a past season, from its first order on', async () => {
    seasons = secondSeason;
    answer(() => HttpResponse.json({ orders: [late], nextCursor: null }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '시즌 1' }));
    await waitFor(() => expect(asked.at(-1)).toBe('stock ALL null..null null in 1'));
    expect(screen.getByRole('button', { name: '시즌 1' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('groups orders by Korean day and opens the receipt of a fill', async () => {
    answer(() => HttpResponse.json({ orders: [late, early], nextCursor: null }));
    const { user, container } = open();
    expect(await screen.findByRole('heading', { level: 2, name: '2026년 11월 21일' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: '2026년 11월 20일' })).toBeVisible();
    expect(screen.getByText('3주 × 71,400원')).toBeVisible();
    expect(screen.getByText('214,200원')).toBeVisible();
    expect(screen.getByText('2주 × 70,000원').closest('button')).toBeNull();
    expect(asked).toEqual(['stock ALL 2026-10-21..2026-11-21 null']);
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: /3주 × 71,400원/ }));
    expect(await screen.findByText(/그때 시세보다 가격 1단계 비싸게 체결돼요/)).toBeVisible();
  });

  it('names the account of an order that is not of the basic one', async () => {
    const [basic] = assets.accounts;
    if (!basic) throw new Error('no basic account');
    const stock = { ...basic, acno: '100000000001', actTcd: '01', actNm: '주식 계좌' };
    server.use(http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [basic, stock] })));
    answer(() => HttpResponse.json({ orders: [{ ...late, acno: stock.acno }, early], nextCursor: null }));
    open();
    expect(await screen.findByRole('button', { name: /3주 × 71,400원 ?주식 계좌/ })).toBeVisible();
    expect(screen.queryByText('기본 계좌')).toBeNull();
  });

  it('shows an order by amount as filled, and what the amount no longer bought', async () => {
    const byAmount: Order = { ...late, orderAmount: 300_000, status: 'CANCELED', statusName: '취소', endReason: 'AMOUNT_REACHED', juQty: 4, remainQty: 1 };
    const nothing: Order = { ...byAmount, orderSid: 7, filledQty: 0, remainQty: 4, avgPrc: null, filledAmount: 0, fee: 0 };
    answer(() => HttpResponse.json({ orders: [byAmount, nothing], nextCursor: null }));
    open();
    const bought = await screen.findByRole('button', { name: /3주 × 71,400원/ });
    expect(bought).toHaveTextContent('가격이 올라서 1주 덜 샀어요');
    expect(bought).toHaveTextContent(/체결 00:05/);
    expect(screen.getByText('300,000원어치 × 시장가')).toBeVisible();
    expect(screen.getByText('가격이 올라서 정한 금액으로 사지 못했어요')).toBeVisible();
    expect(screen.getAllByText('00:05').map(({ parentElement }) => parentElement?.textContent)).toEqual(['체결 00:05', '취소 00:05']);
  });

  it('rounds the value of a limit order as its fill will be rounded', async () => {
    const coin: Order = { ...waitingOrder, orderCategory: 'COIN', isuSrtCd: 'KRW-XRP', juPrc: 2_888, juQty: 12.345678 };
    answer(() => HttpResponse.json({ orders: [coin, { ...coin, orderSid: 7, side: 'SELL' }], nextCursor: null }));
    open();
    expect(await screen.findByText('35,655원')).toBeVisible();
    expect(screen.getByText('35,654원')).toBeVisible();
  });

  it('loads page by page', async () => {
    answer((query) => HttpResponse.json(query.get('cursor') === 'b' ? { orders: [early], nextCursor: null } : { orders: [late], nextCursor: 'b' }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByText('다 봤어요')).toBeVisible();
    expect(asked.map((question) => question.split(' ').at(-1))).toEqual(['null', 'b']);
  });

  it('merges all kinds in one order, page by page', async () => {
    const numbered = (orderSid: number): Order => ({ ...late, orderSid, isuKorNm: `${orderSid}번 주문` });
    const ofKind: Record<string, number[]> = { stock: [50, 48, 3], coin: [49, 2], commodity: Array.from({ length: 24 }, (_, place) => 40 - place) };
    const before: (string | null)[] = [];
    server.use(
      http.get('*/api/v1/orderHistory/:category/member/:sid/:type', ({ request, params }) => {
        const cursor = new URL(request.url).searchParams.get('cursor');
        before.push(cursor);
        const left = (ofKind[String(params.category)] ?? []).filter((sid) => cursor === null || sid < Number(cursor));
        const orders = left.slice(0, 20).map(numbered);
        return HttpResponse.json({ orders, nextCursor: left.length > 20 ? String(orders.at(-1)?.orderSid) : null });
      }),
    );
    const { user } = open('/my/orders/history');
    const shown = () => screen.getAllByText(/번 주문$/).map((name) => Number.parseInt(name.textContent ?? '', 10));
    await screen.findByText('50번 주문');
    expect(screen.getByRole('tablist', { name: '종류' }).querySelector('[aria-selected=true]')).toHaveTextContent('전체');
    expect(shown().slice(0, 5)).toEqual([50, 49, 48, 40, 39]);
    await user.click(screen.getByRole('button', { name: '더 보기' }));
    await screen.findByText('다 봤어요');
    // The page of twenty ended with the seventeenth gold order.
    expect(before).toEqual([null, null, null, '24', '24', '24']);
  });

  it('reaches back to the first order', async () => {
    answer(() => HttpResponse.json({ orders: [late], nextCursor: null }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '전체 기간' }));
    await waitFor(() => expect(asked.at(-1)).toBe('stock ALL null..null null'));
  });

  it('is filtered by state, kind and period, in the address', async () => {
    answer(() => HttpResponse.json({ orders: [], nextCursor: null }));
    const { user } = open();
    expect(await screen.findByText('이 기간에는 주문 내역이 없어요')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: '취소' }));
    await user.click(screen.getByRole('tab', { name: '금' }));
    await user.click(screen.getByRole('button', { name: '3개월' }));
    await waitFor(() => expect(asked.at(-1)).toBe('commodity CANCELED 2026-08-21..2026-11-21 null'));
    await user.click(screen.getByRole('button', { name: '직접 선택' }));
    fireEvent.change(screen.getByLabelText('시작일'), { target: { value: '2026-11-02' } });
    await waitFor(() => expect(asked.at(-1)).toBe('commodity CANCELED 2026-11-02..2026-11-21 null'));
    expect(screen.getByTestId('address')).toHaveTextContent('from=2026-11-02');
    const before = asked.length;
    fireEvent.change(screen.getByLabelText('종료일'), { target: { value: '2026-11-01' } });
    expect(await screen.findByRole('alert')).toHaveTextContent('시작일을 종료일보다 앞으로 골라주세요');
    expect(asked).toHaveLength(before);
  });

  it('can be retried after a failure', async () => {
    answer(() => (asked.length === 1 ? problem(500, 9009, 'INTERNAL') : HttpResponse.json({ orders: [late], nextCursor: null })));
    const { user } = open();
    await user.click(within(await screen.findByRole('alert')).getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('3주 × 71,400원')).toBeVisible();
  });
});
