import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, holdingsOf, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { confirmOrder, press } from './support/mainJob';
import { digitsOf } from './support/screen';
import { newMemberOn } from './support/session';

const AMOUNT = 30_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a coin is bought for an amount: preview, confirmation, fill and history agree', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  await page.goto('/order/coin/KRW-BTC?side=buy');
  await page.getByText(/^살 때 .*원 · 팔 때 .*원 · 차이 .*원$/).waitFor();
  await page.getByRole('button', { name: '주문 단위 금액' }).tap();
  await press(page, String(AMOUNT));
  const reach = page.getByText(/^0\.\d+개( · 약\s\d+원 남아요)?$/);
  await reach.waitFor();
  await expectAccessible(page);

  // The typed amount survives a reload.
  await page.reload();
  await expect.poll(async () => digitsOf(await page.getByRole('button', { name: /^금액/ }).innerText())).toBe(String(AMOUNT));
  await reach.waitFor();

  const total = page.getByText('예상 금액').locator('..').getByRole('definition');
  await expect.poll(async () => digitsOf(await total.innerText())).not.toBe('');
  const expected = Number(digitsOf(await total.innerText()));
  expect(expected).toBeLessThanOrEqual(AMOUNT);
  expect(expected).toBeGreaterThan(AMOUNT * 0.98);

  await page.getByRole('button', { name: '구매하기' }).tap();
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.getByText(/^많아도 30,000원이에요/).waitFor();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: '닫기' }).last().tap();
  await sheet.waitFor({ state: 'hidden' });

  const bought = await confirmOrder(page, '비트코인', '구매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: 30_000 });
  const { order } = await orderOf(session, bought);
  const shown = async (label: string): Promise<number> =>
    Number(digitsOf(await page.getByText(label, { exact: true }).locator('..').getByRole('definition').innerText()));
  await expect.poll(() => shown('낸 돈')).toBe(order.filledAmount + order.fee);
  await expect.poll(() => shown('체결 수량')).toBe(order.filledQty);
  const cash = (await accountOf(session)).accounts[0]?.available;
  await expect.poll(() => shown('남은 주문 가능 금액')).toBe(cash);
  expect(order.filledAmount + order.fee).toBeGreaterThan(AMOUNT * 0.97);
  expect(order.filledAmount + order.fee).toBeLessThanOrEqual(AMOUNT);
  expect(order.orderAmount).toBe(AMOUNT);
  // A price that rose before the fill left a part unbought, and the result says so.
  const less = page.getByText(/^가격이 올라서 .*개 덜 샀어요$/);
  await expect.poll(() => less.count()).toBe(order.endReason === 'AMOUNT_REACHED' ? 1 : 0);
  await expectAccessible(page);

  await page.getByRole('button', { name: '보유 종목 보기' }).tap();
  await page.waitForURL((url) => url.pathname === '/my/holdings');
  expect(await holdingsOf(session, 'coin')).toMatchObject([{ isuSrtCd: 'KRW-BTC', juQty: order.filledQty }]);

  // Filled to the member, whether or not the last decimals were.
  await page.goto('/my/orders/history?tab=coin');
  await page.getByRole('tab', { name: '체결' }).tap();
  await page.getByRole('button', { name: /비트코인/ }).getByText(/^체결 /).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('offline the order sheet says so, allows going back, and continues when the network returns', async () => {
  const { context, page } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('button', { name: '구매하기' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByText('주문 가능', { exact: true }).waitFor();
  await page.getByRole('button', { name: '닫기' }).tap();
  await page.waitForURL((url) => url.pathname === '/invest-v2/stock/005930');

  await context.setOffline(true);
  await page.evaluate(() => {
    history.pushState(null, '', '/order/stock/000660?side=buy');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByText('연결되면 이어서 주문할 수 있어요').waitFor();
  await page.getByRole('button', { name: '뒤로 가기' }).tap();
  await page.getByText('연결되면 이어서 주문할 수 있어요').waitFor({ state: 'hidden' });

  await page.evaluate(() => {
    history.pushState(null, '', '/order/stock/000660?side=buy');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByText('연결되면 이어서 주문할 수 있어요').waitFor();
  await context.setOffline(false);
  await page.getByText('주문 가능', { exact: true }).waitFor();
  await context.close();
});
