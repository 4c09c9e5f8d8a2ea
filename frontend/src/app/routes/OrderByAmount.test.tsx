import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Item, Order, OrderTerms } from '@/shared/api/types';
import { beginOrders, factOf, field, key, openSheet, sent, sheet } from '@/testing/orderSheet';
import { server } from '@/testing/server';
import { filledOrder, samsung, samsungTerms } from '@/testing/wireSamples';

beforeEach(beginOrders);

describe('an order by amount', () => {
  it('is sent as the amount, which the confirmation names as the most it costs', async () => {
    const { user } = await openSheet();
    await user.click(key('주문 단위 금액'));
    for (const digit of '300000') await user.click(key(digit));
    expect(field('금액')).toHaveTextContent('300,000원');
    // Four shares at 71,400 are 285,600, plus a fee of 42.
    expect(await screen.findByText('4주 · 약 14,358원 남아요')).toBeVisible();
    await user.click(key('구매하기'));
    const confirm = await sheet();
    expect(within(confirm).getByRole('heading')).toHaveTextContent('삼성전자 4주를 약 285,642원에 구매할까요?');
    expect(within(confirm).getByText(/^많아도 300,000원이에요\. 가격이 오르면/)).toBeVisible();
    await user.click(within(confirm).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[0]).toMatchObject({ orderAmount: 300_000, juPrc: null });
    expect(sent[0]).not.toHaveProperty('juQty');
  });

  it('follows the price up to the confirmation: the server computes what the amount buys', async () => {
    let price = 100_000_000;
    server.use(
      http.post('*/api/v1/invest/preview', async ({ request }) => {
        const { orderAmount } = (await request.json()) as { orderAmount: number };
        const juQty = Math.floor((orderAmount / (price * 1.0005)) * 1e8) / 1e8;
        const amount = Math.ceil(price * juQty);
        const fee = Math.floor(price * juQty * 0.0005);
        return HttpResponse.json({ price, juQty, amount, fee, tax: 0, total: amount + fee, hold: orderAmount });
      }),
    );
    const item: Item = { ...samsung, marketCode: 'COIN', unit: '개', trdPrc: price, prevDdPrc: price };
    const terms: OrderTerms = { ...samsungTerms, qtyStep: 0.00000001, feeRate: 0.0005, taxRate: 0, maxBuyQty: 1, tickTable: [{ from: 0, tick: 1_000 }], limits: {} };
    const { user } = await openSheet({ item, terms });
    await user.click(key('주문 단위 금액'));
    for (const digit of '300000') await user.click(key(digit));
    await screen.findByText(/^0\.0029985개/);
    await user.click(key('구매하기'));
    const confirm = await sheet();
    await waitFor(() => expect(within(confirm).getByRole('heading')).toHaveTextContent('0.0029985개를 약'));
    expect(within(confirm).getByText(/^많아도 300,000원이에요/)).toBeVisible();
    // The market rises before this client gets a tick; the preview is refetched every two seconds.
    price = 100_300_000;
    await waitFor(() => expect(factOf(confirm, '1개 가격')).toHaveTextContent('약 100,300,000원'), { timeout: 4_000 });
    const shown = Number(/[\d,]+(?=원)/.exec(factOf(confirm, '모두 더한 금액')?.textContent ?? '')?.[0].replaceAll(',', ''));
    expect(shown).toBeLessThanOrEqual(300_000);
    expect(shown).toBeGreaterThan(299_990);
    const offered = /[\d.]+(?=개)/.exec(factOf(confirm, '수량')?.textContent ?? '')?.[0];
    expect(Number(offered)).toBeLessThan(0.0029985);
    await user.click(within(confirm).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[0]).toMatchObject({ orderAmount: 300_000 });
  });

  it('of a coin takes no maximum that a rising price would refuse, and none that it has refused', async () => {
    let hold = 999_000;
    server.use(
      http.post('*/api/v1/invest/preview', async ({ request }) => {
        const { juQty } = (await request.json()) as { juQty: number };
        const amount = Math.ceil(100_000_000 * juQty);
        return HttpResponse.json({ price: 100_000_000, juQty, amount, fee: 0, tax: 0, total: amount, hold });
      }),
    );
    const item: Item = { ...samsung, marketCode: 'COIN', unit: '개', trdPrc: 100_000_000, prevDdPrc: 100_000_000 };
    const { user } = await openSheet({ item, terms: { ...samsungTerms, qtyStep: 0.00000001, maxBuyQty: 0.0095, tickTable: [{ from: 0, tick: 1_000 }], limits: {} } });
    await user.click(key('최대'));
    expect(field('수량')).toHaveTextContent('0.0094525개');
    await waitFor(() => expect(key('구매하기')).not.toHaveAttribute('aria-disabled', 'true'));
    hold = 1_000_116;
    expect(await screen.findByText('주문 가능 금액보다 116원 많아요', undefined, { timeout: 4_000 })).toBeVisible();
    expect(key('구매하기')).toHaveAttribute('aria-disabled', 'true');
  });

  it('spends all the cash, which a quantity cannot because of its margin', async () => {
    const { user } = await openSheet();
    await user.click(key('주문 단위 금액'));
    await user.click(key('최대'));
    expect(field('금액')).toHaveTextContent('1,000,000원');
    expect(await screen.findByText('14주 · 약 251원 남아요')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(key('주문 단위 수량'));
    expect(field('수량')).toHaveTextContent('13주');
    expect(screen.getByText(/여유를 두고 13주까지 주문할 수 있어요/)).toBeVisible();
    await user.click(field('수량'));
    for (const digit of '14') await user.click(key(digit));
    expect(screen.getByRole('alert')).toHaveTextContent('여유 5%를 더하면 최대 13주까지 살 수 있어요');
  });

  it('beyond the cash says by how much, without a margin', async () => {
    const { user } = await openSheet();
    await user.click(key('주문 단위 금액'));
    for (const digit of '1000500') await user.click(key(digit));
    expect(screen.getByRole('alert')).toHaveTextContent('주문 가능 금액보다 500원 많아요');
    // In the field and in the summary.
    await waitFor(() => expect(screen.getAllByText('주문 가능 금액보다 500원 많아요')).toHaveLength(2));
    expect(key('구매하기')).toHaveAttribute('aria-disabled', 'true');
  });

  it('of a coin has a minimum, which the server is not asked about', async () => {
    const asked: unknown[] = [];
    server.use(
      http.post('*/api/v1/invest/preview', async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json({}, { status: 422 });
      }),
    );
    const item: Item = { ...samsung, marketCode: 'COIN', unit: '개', trdPrc: 100_000_000 };
    const { user } = await openSheet({ item, terms: { ...samsungTerms, qtyStep: 0.00000001, minAmount: 5_000, tickTable: [{ from: 0, tick: 1_000 }], limits: {} } });
    await user.click(key('주문 단위 금액'));
    for (const digit of '4999') await user.click(key(digit));
    expect(screen.getByRole('alert')).toHaveTextContent('5,000원부터 주문할 수 있어요');
    expect(asked).toEqual([]);
  });

  it('at a limit is sent as the quantity that fits', async () => {
    const { user } = await openSheet();
    await user.click(key('지정가'));
    await user.click(field('수량'));
    await user.click(key('주문 단위 금액'));
    for (const digit of '300000') await user.click(key(digit));
    expect(await screen.findByText('4주 · 14,758원 남아요')).toBeVisible();
    await user.click(key('구매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[0]).toMatchObject({ juQty: 4, juPrc: 71_300 });
    expect(sent[0]).not.toHaveProperty('orderAmount');
  });

  it('asks for more when the amount does not buy a single unit, and says what one costs', async () => {
    const { user } = await openSheet();
    await user.click(key('주문 단위 금액'));
    await user.click(key('9'));
    expect(screen.getByText('1주 가격보다 적어요')).toBeVisible();
    // The server says what one costs: 71,400 won and a fee of 10.
    expect(await screen.findByText('1주 가격(약 71,410원)보다 적어요')).toBeVisible();
    await user.click(key('구매하기'));
    expect(screen.getByRole('alert')).toHaveTextContent('1주 가격(약 71,410원)보다 적어요');
    expect(sent).toHaveLength(0);
  });

  it('that was reached says what it bought and what it no longer did', async () => {
    const reached: Order = {
      ...filledOrder,
      status: 'CANCELED',
      statusName: '취소',
      orderAmount: 300_000,
      juQty: 4,
      filledQty: 3,
      remainQty: 1,
      endReason: 'AMOUNT_REACHED',
    };
    const { user, container } = await openSheet({ order: reached });
    await user.click(key('주문 단위 금액'));
    for (const digit of '300000') await user.click(key(digit));
    await user.click(key('구매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByText('214,200원에 체결됐어요')).toBeVisible();
    expect(screen.getByText('가격이 올라서 1주 덜 샀어요')).toBeVisible();
    await waitFor(() => expect(factOf(container, '정한 금액')).toHaveTextContent('300,000원'));
    expect(factOf(container, '낸 돈')).toHaveTextContent('214,232원');
    expect(screen.queryByText('대기 주문 보기')).toBeNull();
    await user.click(await screen.findByRole('button', { name: '왜 이 가격?' }));
    const receipt = (await screen.findByRole('heading', { name: '왜 이 가격?' })).closest('dialog') as HTMLElement;
    await waitFor(() => expect(receipt).toHaveTextContent('가격이 올라서 1주 덜 샀어요'));
  });

  it('in dollars is converted at the rate that the server applies', async () => {
    server.use(
      http.post('*/api/v1/invest/preview', async ({ request }) => {
        const { juPrc, juQty } = (await request.json()) as { juPrc: number; juQty: number };
        const amount = juPrc * juQty * 1_001;
        return HttpResponse.json({ price: juPrc, juQty, amount, fee: 0, tax: 0, total: amount, hold: amount, fxRate: 1_000, appliedFxRate: 1_001 });
      }),
    );
    const item: Item = { ...samsung, currency: 'USD', marketCode: 'stocks', trdPrc: 100, fxRt: 1_000 };
    const terms: OrderTerms = { ...samsungTerms, currency: 'USD', fxRate: 1_000, feeRate: 0, limits: {}, tickTable: [{ from: 0, tick: 0.01 }] };
    const { user } = await openSheet({ item, terms });
    await user.click(key('지정가'));
    await user.click(field('수량'));
    await user.click(key('주문 단위 금액'));
    // Two would be 200,000 won at the middle rate, and are 200,200 with the spread.
    for (const digit of '200100') await user.click(key(digit));
    expect(await screen.findByText('1주 · 약 100,000원 남아요')).toBeVisible();
    await user.click(key('구매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent[0]).toMatchObject({ juQty: 1, juPrc: 100 });
  });

  it('says that dollars have no exchange rate yet, whatever the amount', async () => {
    const item: Item = { ...samsung, currency: 'USD', marketCode: 'stocks', trdPrc: 231, fxRt: null };
    const { user } = await openSheet({ item, terms: { ...samsungTerms, currency: 'USD', fxRate: null, limits: {}, tickTable: [{ from: 0, tick: 0.01 }] } });
    await user.click(key('주문 단위 금액'));
    expect(screen.queryByText(/환율/)).toBeNull();
    await user.click(key('9'));
    expect(screen.getByText('아직 환율을 받지 못해서 수량을 계산할 수 없어요')).toBeVisible();
    await user.click(key('구매하기'));
    expect(screen.getByRole('alert')).toHaveTextContent('아직 환율을 받지 못해서 수량을 계산할 수 없어요');
    expect(sent).toHaveLength(0);
  });
});
