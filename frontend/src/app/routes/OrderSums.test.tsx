import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Fill, Item, Order } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { answer, beginOrders, factOf, field, key, openSheet, render, sheet, type World } from '@/testing/orderSheet';
import { server } from '@/testing/server';
import { fill, filledOrder, samsung, samsungTerms, waitingOrder } from '@/testing/wireSamples';

beforeEach(beginOrders);
afterEach(() => onlineManager.setOnline(true));

describe('a confirmation', () => {
  it('shows one price in the title, the rows and the sheet below, and the margin', async () => {
    const { user } = await openSheet({ item: { ...samsung, bidPrc: 71_200, askPrc: 71_400 } });
    expect(screen.getByText('살 때 71,400원 · 팔 때 71,200원 · 차이 200원')).toBeVisible();
    await user.click(key('3'));
    await screen.findByText('약 214,232원');
    await user.click(key('구매하기'));
    const confirm = await sheet();
    expect(within(confirm).getByRole('heading')).toHaveTextContent('삼성전자 3주를 약 214,232원에 구매할까요?');
    expect(factOf(confirm, '1주 가격')).toHaveTextContent('약 71,400원');
    expect(factOf(confirm, '주문 금액')).toHaveTextContent('약 214,200원');
    expect(factOf(confirm, '수수료')).toHaveTextContent('약 32원');
    expect(factOf(confirm, '모두 더한 금액')).toHaveTextContent('약 214,232원');
    expect(within(confirm).getByText(/^지금 가격으로 많아도 224,734원이에요/)).toBeVisible();
  });

  it('is exact at a limit, and shows the reserved won and how long the order waits', async () => {
    const { user } = await openSheet();
    await user.click(key('지정가'));
    await user.click(field('수량'));
    await user.click(key('2'));
    await user.click(key('구매하기'));
    const confirm = await sheet();
    expect(await within(confirm).findByText('142,621원')).toBeVisible();
    expect(factOf(confirm, '1주 가격')).toHaveTextContent(/가격71,300원$/);
    expect(factOf(confirm, '주문 기한')).toHaveTextContent(/^주문 기한\d{4}\.\d{2}\.\d{2} 00:00까지$/);
    // A fee of 21.39 won is charged as 21 and reserved as 22.
    expect(within(confirm).getByText(/142,622원을 묶어둬요/)).toBeVisible();
  });

  it('stays in dollars, because won would be rounded twice', async () => {
    server.use(
      http.post('*/api/v1/invest/preview', () =>
        HttpResponse.json({ price: 231.01, amount: 679_849, fee: 679, tax: 0, total: 680_528, fxRate: 1_470, appliedFxRate: 1_471.47, averageAfter: 231.0166666 }),
      ),
    );
    const item: Item = { ...samsung, currency: 'USD', marketCode: 'stocks', trdPrc: 231, fxRt: 1_470 };
    const { user } = await openSheet({ item, terms: { ...samsungTerms, currency: 'USD', fxRate: 1_470, limits: {}, tickTable: [{ from: 0, tick: 0.01 }] } });
    await user.click(key('2'));
    await user.click(key('구매하기'));
    const confirm = await sheet();
    await within(confirm).findByText('약 680,528원');
    expect(factOf(confirm, '1주 가격')).toHaveTextContent(/가격약\s\$231\.01$/);
    expect(factOf(confirm, '적용 환율')).toHaveTextContent('1,471.47원기준 환율 1,470원, 환전 비용 0.1% 반영');
    expect(factOf(confirm, '구매 뒤 평균 산 가격')).toHaveTextContent('약 $231.02');
  });

  it('is an estimate for dollars at a limit too, because the rate is the one of the fill', async () => {
    server.use(
      http.post('*/api/v1/invest/preview', () =>
        HttpResponse.json({ price: 230, amount: 676_877, fee: 676, tax: 0, total: 677_553, fxRate: 1_470, appliedFxRate: 1_471.47, hold: 697_166 }),
      ),
    );
    const item: Item = { ...samsung, currency: 'USD', marketCode: 'stocks', trdPrc: 231, fxRt: 1_470 };
    const { user } = await openSheet({ item, terms: { ...samsungTerms, currency: 'USD', fxRate: 1_470, limits: {}, tickTable: [{ from: 0, tick: 0.01 }] } });
    await user.click(key('지정가'));
    await user.click(field('수량'));
    await user.click(key('2'));
    expect(await screen.findByText('약 677,553원')).toBeVisible();
    await user.click(key('구매하기'));
    const confirm = await sheet();
    expect(within(confirm).getByRole('heading')).toHaveTextContent('2주를 약 677,553원에 구매할까요?');
    expect(factOf(confirm, '주문 금액')).toHaveTextContent('약 676,877원');
    expect(factOf(confirm, '수수료')).toHaveTextContent('약 676원');
    expect(factOf(confirm, '모두 더한 금액')).toHaveTextContent('약 677,553원');
    // The rate may rise until the fill, so more is held than a rounded fee.
    expect(within(confirm).getByText(/약 697,166원을 묶어둬요. 환율이 오를 수 있어서/)).toBeVisible();
  });

  it('reports that the sums are unavailable instead of guessing', async () => {
    server.use(http.post('*/api/v1/invest/preview', () => HttpResponse.json({}, { status: 503 })));
    const { user } = await openSheet();
    await user.click(key('3'));
    await user.click(key('구매하기'));
    const confirm = await sheet();
    expect(await within(confirm).findByText(/금액을 계산하지 못했어요/)).toBeVisible();
    expect(within(confirm).getByRole('heading')).toHaveTextContent('삼성전자 3주를 구매할까요?');
    expect(factOf(confirm, '모두 더한 금액')).toHaveTextContent('-');
  });
});

it('takes one digit per touch, even when the keypad moves under the finger', async () => {
  await openSheet();
  fireEvent.pointerDown(key('2'), { button: 0 });
  fireEvent.pointerUp(key('2'));
  // The first digit moves the keypad, and the click lands on another key.
  fireEvent.click(key('5'));
  expect(field('수량')).toHaveTextContent('2주');
});

it('offers common prices, and shows the distance of a limit', async () => {
  const { user, container } = await openSheet();
  await user.click(key('지정가'));
  expect(screen.getByText('현재가와 같아요')).toBeVisible();
  await user.click(key('−3%'));
  expect(field('가격')).toHaveTextContent('69,100원');
  expect(screen.getByText('현재가보다 3.09% 낮아요')).toBeVisible();
  expect(key('−3%')).toHaveAttribute('aria-pressed', 'true');
  expect(await axeViolations(container)).toEqual([]);
});

it('keeps an unsent order over a reload, and clears it when the sheet is left', async () => {
  const first = await openSheet();
  await first.user.click(key('지정가'));
  await first.user.click(key('−1%'));
  await first.user.click(field('수량'));
  await first.user.click(key('2'));
  // A reload unloads the page without leaving the screen.
  const kept = { ...sessionStorage };
  first.unmount();
  expect(Object.keys(sessionStorage).some((name) => name.startsWith('draft'))).toBe(false);
  Object.assign(sessionStorage, kept);
  await openSheet();
  expect(field('가격')).toHaveTextContent('70,500원');
  expect(field('수량')).toHaveTextContent('2주');
});

describe('the result', () => {
  const soldOrder: Order = { ...filledOrder, side: 'SELL', orderGb: '매도주문', avgPrc: 71_233.33333, filledAmount: 213_700, fee: 32, tax: 427 };
  const sales: Fill[] = [
    { ...fill, fillQty: 2, fillPrc: 71_200, amount: 142_400, profit: 2_000 },
    { ...fill, fillSid: 10, fillQty: 1, fillPrc: 71_300, amount: 71_300, profit: -759 },
  ];

  async function sold() {
    const view = await openSheet({ side: 'sell', order: soldOrder, fills: sales, terms: { ...samsungTerms, sellableQty: 5, availableCash: 1_213_241 } });
    await view.user.click(key('3'));
    await view.user.click(key('판매하기'));
    await view.user.click(within(await sheet()).getByRole('button', { name: '판매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 판매 주문 완료' });
    return view;
  }

  it('of a sale shows what was sold, received and earned, and what is left', async () => {
    const { user, container } = await sold();
    await screen.findByText('번 돈');
    expect(screen.getByText('손익은 팔 때 든 비용만 뺐어요. 살 때 낸 수수료는 빼지 않았어요.')).toBeVisible();
    const done = container;
    for (const [label, text] of [
      ['체결 수량', '3주'],
      ['평균 체결 가격', '71,233.3원'],
      ['체결 금액', '213,700원'],
      ['수수료', '32원'],
      ['세금', '427원'],
      ['번 돈', '1,241원상승'],
      ['받은 돈', '213,241원'],
      ['남은 수량', '5주'],
      ['남은 주문 가능 금액', '1,213,241원'],
    ] as const) {
      await waitFor(() => expect(factOf(done, label)).toHaveTextContent(text));
    }
    expect(await axeViolations(container)).toEqual([]);
    await user.click(key('보유 종목 보기'));
    expect(await screen.findByText('보유 종목 화면')).toBeVisible();
  });

  it('is explained by a receipt in plain words, its numbers under 자세히', async () => {
    const { user } = await sold();
    await user.click(await screen.findByRole('button', { name: '왜 이 가격?' }));
    const receipt = (await screen.findByRole('heading', { name: '왜 이 가격?' })).closest('dialog') as HTMLElement;
    await waitFor(() => expect(receipt).toHaveTextContent('받은 돈 213,241원'));
    expect(within(receipt).getByText('번 돈')).toBeVisible();
    const [more] = within(receipt).getAllByText('자세히');
    const number = within(more?.closest('details') as HTMLElement).getByText('시세 번호');
    expect(more?.closest('details')).not.toHaveAttribute('open');
    expect(number.closest('details')).toBe(more?.closest('details'));
  });

  it('of a waiting order updates when it fills, without moving the focus', async () => {
    const world: World = { order: waitingOrder, fills: [] };
    const { user } = await openSheet(world);
    await user.click(key('1'));
    await user.click(key('구매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { level: 1, name: '체결을 기다려요' });
    key('확인').focus();
    server.use(http.get('*/api/v1/invest/order/:sid', () => HttpResponse.json({ order: { ...filledOrder, juPrc: 71_400 }, fills: [fill] })));
    await screen.findByRole('heading', { level: 1, name: '삼성전자 구매 주문 완료' }, { timeout: 3_000 });
    expect(screen.queryByText('체결을 기다려요')).toBeNull();
    expect(key('확인')).toHaveFocus();
  });

  it('of a waiting order shows that, until when, and the reserved amount', async () => {
    const { user } = await openSheet({ order: waitingOrder, fills: [] });
    await user.click(key('1'));
    await user.click(key('구매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByRole('heading', { level: 1, name: '체결을 기다려요' })).toHaveFocus();
    expect(screen.getByText('삼성전자 구매 주문 완료', { selector: 'p' })).toBeVisible();
    expect(screen.getByText('주문을 넣었어요. 체결되면 알려드릴게요.')).toBeVisible();
    expect(await screen.findByText('2026.11.22 00:00까지')).toBeVisible();
    expect(screen.getByText('140,021원')).toBeVisible();
    expect(screen.queryByText('보유 종목 보기')).toBeNull();
  });
});

describe('the result of a partly filled order', () => {
  const partial: Order = { ...filledOrder, status: 'PARTIAL', statusName: '일부 체결', filledQty: 1, remainQty: 2, filledAmount: 71_400, fee: 10 };

  async function ordered(order: Order) {
    const { user } = await openSheet({ order, fills: [{ ...fill, fillQty: 1, amount: 71_400, fee: 10 }] });
    await user.click(key('3'));
    await user.click(key('구매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '구매하기' }));
    expect(await screen.findByText('1주 체결됐고 2주는 기다리고 있어요')).toBeVisible();
  }

  it('explains the remainder of a market order, with a link to the waiting orders', async () => {
    await ordered(partial);
    expect(screen.getByText(/한 번에 거래된 수량의 25%까지만 체결돼요/)).toBeVisible();
    expect(key('대기 주문 보기')).toBeVisible();
  });

  it('does not say so at a limit, which waits for its price', async () => {
    await ordered({ ...partial, juPrc: 71_400 });
    expect(screen.queryByText(/25%까지만/)).toBeNull();
  });
});

describe('the focus', () => {
  it('returns when the confirmation is closed', async () => {
    const { user } = await openSheet();
    await user.click(key('3'));
    await user.click(key('구매하기'));
    const [close] = within(await sheet()).getAllByRole('button', { name: '닫기' });
    await user.click(close as HTMLElement);
    await waitFor(() => expect(key('구매하기')).toHaveFocus());
  });

  it('returns even where a tap gives no focus', async () => {
    const { user } = await openSheet();
    await user.click(key('3'));
    (document.activeElement as HTMLElement).blur();
    // As in Safari: pressed and clicked, but never focused.
    fireEvent.pointerDown(key('구매하기'));
    fireEvent.click(key('구매하기'));
    const [close] = within(await sheet()).getAllByRole('button', { name: '닫기' });
    fireEvent.click(close as HTMLElement);
    await waitFor(() => expect(key('구매하기')).toHaveFocus());
  });
});

describe('offline', () => {
  it('an opened sheet says so and has a way back', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onlineManager.setOnline(false);
    answer({});
    const { container } = render('buy');
    expect(await screen.findByText('연결되면 이어서 주문할 수 있어요')).toBeVisible();
    expect(screen.getByText('인터넷 연결을 확인해주세요')).toBeVisible();
    expect(key('뒤로 가기')).toBeEnabled();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('the sheet continues by itself when the network returns', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onlineManager.setOnline(false);
    answer({});
    render('buy');
    await screen.findByText('연결되면 이어서 주문할 수 있어요');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    act(() => onlineManager.setOnline(true));
    expect(await screen.findByText('주문 가능')).toBeVisible();
  });
});
