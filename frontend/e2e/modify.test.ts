import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, buyByApi, holdingsOf, orderOf, sellByApi, waitingOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { cancelWaiting, press } from './support/mainJob';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const NAME = '삼성전자';

/** Changes the price of the waiting order through its menu; `look` gets the prefilled form. */
const changePrice = async (page: Page, side: '구매' | '판매', price: string, look: () => Promise<void> = () => Promise.resolve()): Promise<void> => {
  await page.getByRole('button', { name: `${NAME} 주문 정정하거나 취소하기` }).tap();
  await page.getByRole('menuitem', { name: '정정' }).tap();
  await page.getByRole('heading', { level: 1, name: `${NAME} ${side} 정정` }).waitFor();
  await page.getByRole('button', { name: /^가격/ }).first().tap();
  for (let digits = 0; digits < 7; digits += 1) await page.keyboard.press('Backspace');
  await press(page, price);
  await look();
  await page.getByRole('button', { name: '정정하기' }).tap();
  const sheet = page.getByRole('dialog', { name: `${NAME} ${side} 주문을 정정할까요?` });
  await sheet.waitFor();
  await sheet.getByRole('button', { name: '정정하기' }).tap();
  await page.getByText(`${NAME} ${side} 정정 완료`).first().waitFor();
};

test('a waiting order is modified, then canceled, and the history shows both', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const first = await buyByApi(session, { code: '005930', qty: 3, price: 200_000 });
  await page.goto('/my/orders/wait');
  await page.getByText('3주 · 200,000원').waitFor();
  await page.getByText(/^묶어둔 돈 600,0\d\d원$/).waitFor();
  await expectAccessible(page);

  await changePrice(page, '구매', '210000', () => expectAccessible(page));

  // The replacement refers to the old order, and the account reserves only what the new one needs.
  const waiting = await waitingOf(session);
  expect(waiting).toHaveLength(1);
  const changed = waiting[0];
  expect(changed).toMatchObject({ juPrc: 210_000, juQty: 3, status: 'ACCEPTED' });
  expect(changed).toHaveProperty('origOrderSid', first.orderSid);
  expect((await orderOf(session, first.orderSid)).order.status).toBe('REPLACED');
  const { held = 0 } = (await accountOf(session)).accounts[0] ?? {};
  expect(held).toBeGreaterThanOrEqual(630_000);
  expect(held).toBeLessThan(631_000);

  await page.goto('/my/orders/wait');
  await cancelWaiting(page, NAME, '구매');
  await page.getByText('대기 중인 주문이 없어요').waitFor();
  await eventually('everything kept aside is free again', async () => (await accountOf(session)).accounts[0]?.held === 0);

  await page.goto('/my/orders/history');
  await page.getByText('정정됨').first().waitFor();
  await page.getByText('3주 × 210,000원').waitFor();
  await page.getByText('3주 × 200,000원').waitFor();
  await expectAccessible(page);
  await page.getByRole('tab', { name: '체결' }).tap();
  await page.getByText('이 기간에는 주문 내역이 없어요').waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
}, 120_000);

// J15 for a sale: the offered shares stay reserved while the price changes, and are released by canceling.
test('a waiting sale is modified, then canceled, and the shares are released', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const bought = await buyByApi(session, { code: '005930', qty: 2 });
  await eventually('the shares are bought', async () => (await orderOf(session, bought.orderSid)).order.status === 'FILLED');
  const first = await sellByApi(session, { code: '005930', qty: 2, price: 330_000 });
  await page.goto('/my/orders/wait');
  await page.getByText('2주 · 330,000원').waitFor();

  await changePrice(page, '판매', '325000');
  expect(await waitingOf(session)).toMatchObject([{ juPrc: 325_000, juQty: 2, status: 'ACCEPTED', origOrderSid: first.orderSid }]);
  expect(await holdingsOf(session)).toMatchObject([{ juQty: 2, heldQty: 2 }]);

  await page.goto('/my/orders/wait');
  await page.getByText('2주 · 325,000원').waitFor();
  await cancelWaiting(page, NAME, '판매');
  await page.getByText('대기 중인 주문이 없어요').waitFor();
  await eventually('the shares are free again', async () => (await holdingsOf(session))[0]?.heldQty === 0);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 120_000);
