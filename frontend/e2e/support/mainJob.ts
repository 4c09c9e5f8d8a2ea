import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { accountOf, type Order, orderOf, sessionOf } from './books';
import { eventually } from './processes';
import { newcomer } from './member';
import { digitsOf, fillIn, priceMoves, rowOf } from './screen';

/** The instrument to trade, as found on the screen. */
export interface Traded {
  category: 'stock' | 'coin' | 'gold';
  code: string;
  name: string;
  unit: '주' | '개' | 'g';
  /** Its list, and the tab of that list. */
  listPath: string;
  detailPath: string;
  buyQty: string;
  /** Keys of a price far below the market. */
  lowPrice: (price: number) => string;
}

/** Joins through all steps, optionally with a mistyped address first, and ends at the destination. */
export const joinOnScreen = async (page: Page, next: string, { mistypes = false } = {}): Promise<void> => {
  const person = newcomer();
  await page.goto(`/join?next=${encodeURIComponent(next)}`);
  await page.getByRole('checkbox', { name: '전체 동의' }).check();
  await page.getByRole('button', { name: '다음' }).click();
  await fillIn(page.getByLabel('비밀번호', { exact: true }), person.password);
  if (mistypes) {
    await fillIn(page.getByLabel('이메일'), 'person@example');
    await page.getByRole('button', { name: '다음' }).click();
    await page.getByText('이메일 형식을 확인해주세요').waitFor();
  }
  await fillIn(page.getByLabel('이메일'), person.email);
  await page.getByRole('button', { name: '다음' }).click();
  await fillIn(page.getByLabel('닉네임'), person.nickname);
  await fillIn(page.getByLabel('출생연도'), '1996');
  await page.getByRole('button', { name: '가입하기' }).click();
  await page.getByText(`${person.nickname}님, 반가워요!`).waitFor();
  await page.getByText('가상 머니 500만원으로 연습을 시작해요').waitFor();
  await page.getByRole('button', { name: '시작하기' }).click();
  await page.waitForURL((url) => url.pathname + url.search === next);
};

/** Presses keys of our keypad. */
export const press = async (page: Page, keys: string): Promise<void> => {
  for (const key of keys) {
    const name = key === '.' ? '. 소수점' : key;
    await page.getByRole('group', { name: /(수량|금액|가격) 입력/ }).getByRole('button', { name, exact: true }).tap();
  }
};

/** Confirms the order and returns its number. */
export const confirmOrder = async (page: Page, name: string, side: '구매' | '판매'): Promise<number> => {
  await page.getByRole('button', { name: `${side}하기` }).tap();
  const sheet = page.getByRole('dialog', { name: new RegExp(`${side}할까요\\?$`) });
  await sheet.waitFor();
  const [reply] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/order') && response.request().method() === 'POST'),
    sheet.getByRole('button', { name: `${side}하기` }).tap(),
  ]);
  expect(reply.status(), await reply.text()).toBe(200);
  await expectOrderResult(page, name, side);
  return ((await reply.json()) as Order).orderSid;
};

/** Waits for the given sentence of an accepted order: the heading, or the line below the one for a waiting order. */
export const expectOrderResult = (page: Page, name: string, side: '구매' | '판매'): Promise<void> =>
  page.getByRole('main').getByText(`${name} ${side} 주문 완료`, { exact: true }).waitFor();

/** Cancels the waiting order of that name through its menu. */
export const cancelWaiting = async (page: Page, name: string, side: '구매' | '판매'): Promise<void> => {
  await page.getByRole('button', { name: `${name} 주문 정정하거나 취소하기` }).tap();
  await page.getByRole('menuitem', { name: '취소' }).tap();
  await page.getByRole('dialog', { name: '주문을 취소할까요?' }).getByRole('button', { name: '주문 취소' }).tap();
  await page.getByText(`${name} ${side} 취소 완료`).waitFor();
};

/** A thin market fills an order in parts, with the trades of others. */
const FILLED_WITHIN_MS = 60_000;

const signed = (amount: number): string => `${amount < 0 ? '' : '+'}${String(amount)}`;

/**
 * The main job on the screen: find an instrument in the live list, open it, buy, read the receipt, watch the profit, place a
 * limit order, cancel, sell. At the end the receipts explain every won of the account.
 */
export const doMainJob = async (page: Page, traded: Traded): Promise<void> => {
  const { name, code, unit } = traded;
  const session = await sessionOf(page);
  const before = await accountOf(session);
  expect(before.total).toBe(5_000_000);

  // The list is live.
  await page.goto(traded.listPath);
  const row = rowOf(page, name);
  await row.waitFor();
  await page.getByText('실시간').first().waitFor();
  await priceMoves(row);
  await row.getByRole('link', { name, exact: true }).tap();
  await page.waitForURL((url) => url.pathname === traded.detailPath);

  // The detail shows a chart of each period.
  for (const period of ['1주', '3개월', '1년', '5년', '1일']) {
    await page.getByRole('tab', { name: period, exact: true }).tap();
    await page.getByRole('img', { name: `${name} ${period} 차트. 시작` }).waitFor();
  }
  await expect.poll(() => page.locator('canvas').count()).toBeGreaterThan(0);

  // Bought at the market, with the receipt.
  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: `${name} 구매` }).waitFor();
  await press(page, traded.buyQty);
  const bought = await confirmOrder(page, name, '구매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: FILLED_WITHIN_MS });
  await page.getByRole('button', { name: '왜 이 가격?' }).tap();
  const receipt = page.getByRole('dialog', { name: '왜 이 가격?' });
  await receipt.getByText(/시장가 주문/).first().waitFor();
  await receipt.getByText('자세히', { exact: true }).first().tap();
  for (const fact of ['체결 시각', '그때 시세', '체결 가격', '체결 수량', '체결 금액', '수수료', '체결 방식', '낸 돈']) {
    await receipt.getByText(fact, { exact: true }).first().waitFor();
  }
  const buy = await orderOf(session, bought);
  expect(buy.order.filledQty).toBe(Number(traded.buyQty));
  expect(await receipt.innerText()).toContain(`${buy.order.filledAmount.toLocaleString('ko-KR')}원`);
  await receipt.getByRole('button', { name: '닫기' }).tap();
  await receipt.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '확인' }).tap();

  // Held, with a live profit.
  const position = page.getByRole('region', { name: '내 보유' });
  await position.getByText(`${traded.buyQty}${unit}`, { exact: true }).waitFor();
  const profit = position.getByRole('definition').last();
  const firstProfit = await profit.innerText();
  await expect.poll(() => profit.innerText(), { timeout: 40_000 }).not.toBe(firstProfit);
  await page.goto('/my/holdings');
  await page.getByRole('main').getByRole('link', { name }).waitFor();

  // A limit order far below the market waits, and is canceled.
  await page.goto(`/order/${traded.category}/${encodeURIComponent(code)}?side=buy`);
  await page.getByRole('button', { name: '지정가' }).tap();
  const price = Number(digitsOf(await page.getByRole('button', { name: /^가격/ }).first().innerText()));
  await press(page, traded.lowPrice(price));
  await page.getByRole('button', { name: /^수량/ }).tap();
  await press(page, traded.buyQty);
  const waiting = await confirmOrder(page, name, '구매');
  await page.getByRole('button', { name: '대기 주문 보기' }).tap();
  await page.waitForURL((url) => url.pathname === '/my/orders/wait');
  const tab = { stock: '주식', coin: '코인', gold: '금' }[traded.category];
  await page.getByRole('tab', { name: `${tab} 1`, exact: true }).tap();
  const held = await accountOf(session);
  expect(held.accounts[0]?.held).toBeGreaterThan(0);
  await page.getByRole('button', { name: `${name} 주문 정정하거나 취소하기` }).tap();
  await page.getByRole('menuitem', { name: '취소' }).tap();
  await page.getByRole('dialog', { name: '주문을 취소할까요?' }).getByRole('button', { name: '주문 취소' }).tap();
  await page.getByText(`${name} 구매 취소 완료`).waitFor();
  await page.getByText('대기 중인 주문이 없어요').waitFor();
  const canceled = await orderOf(session, waiting);
  expect(canceled.order.status).toBe('CANCELED');
  expect(canceled.fills).toEqual([]);

  // Sold completely.
  await page.goto(traded.detailPath);
  await page.getByRole('button', { name: '판매하기' }).tap();
  await page.getByRole('button', { name: '최대' }).tap();
  const sold = await confirmOrder(page, name, '판매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: FILLED_WITHIN_MS });
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('button', { name: '판매하기' }).waitFor({ state: 'hidden' });

  // Every won is explained.
  const sell = await orderOf(session, sold);
  expect(sell.order.filledQty).toBe(buy.order.filledQty);
  for (const { order, fills } of [buy, sell]) {
    expect(fills.length).toBeGreaterThan(0);
    expect(fills.reduce((sum, fill) => sum + fill.amount, 0)).toBe(order.filledAmount);
    expect(fills.reduce((sum, fill) => sum + fill.fee, 0)).toBe(order.fee);
    expect(fills.reduce((sum, fill) => sum + fill.tax, 0)).toBe(order.tax);
    expect(new Set(fills.map((fill) => fill.tickSeq)).size).toBe(fills.length);
  }
  expect(buy.order.tax).toBe(0);
  const change = -buy.order.filledAmount - buy.order.fee + sell.order.filledAmount - sell.order.fee - sell.order.tax;
  const after = await accountOf(session);
  expect(signed(after.total - before.total)).toBe(signed(change));
  expect(after.accounts[0]).toMatchObject({ deposit: after.total, held: 0, available: after.total, holdingsValue: 0 });
  await eventually('the my page shows the same total', async () => {
    await page.goto('/my');
    const total = page.getByRole('region', { name: '내 총자산' });
    const available = total.getByText('현금', { exact: true }).locator('..').getByRole('definition');
    await total.getByText(`${after.total.toLocaleString('ko-KR')}원`, { exact: true }).first().waitFor({ timeout: 5_000 });
    return digitsOf(await available.innerText()) === String(after.total);
  });
};
