import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, holdingsOf, orderOf, waitingOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { cancelWaiting, confirmOrder, press } from './support/mainJob';
import { eventually } from './support/processes';
import { digitsOf } from './support/screen';
import { newMemberOn } from './support/session';

const NAME = '삼성전자';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

// J14: from a holding to an order that waits for a better price.
test('a quarter of a holding is offered at a limit: an invalid tick is reported, the buttons step, and the order waits', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const { orderSid } = await buyByApi(session, { code: '005930', qty: 4 });
  await eventually('the shares are bought', async () => (await orderOf(session, orderSid)).order.status === 'FILLED');

  await page.goto('/my/holdings');
  await page.getByRole('main').getByRole('link', { name: NAME }).tap();
  await page.waitForURL((url) => url.pathname === '/invest-v2/stock/005930');
  await page.getByRole('button', { name: '판매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: `${NAME} 판매` }).waitFor();
  await page.getByRole('button', { name: '지정가' }).tap();
  const price = page.getByRole('button', { name: /^가격/ }).first();
  const quantity = page.getByRole('button', { name: /^수량/ });
  const cta = page.getByRole('button', { name: '판매하기' });

  await press(page, '330100');
  await page.getByRole('alert').filter({ hasText: '500원 단위로 입력해주세요' }).waitFor();
  expect(await cta.getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);
  for (let digits = 0; digits < 3; digits += 1) await page.getByRole('button', { name: '한 글자 지우기' }).tap();
  await press(page, '000');
  await expect.poll(async () => digitsOf(await price.innerText())).toBe('330000');
  await page.getByRole('button', { name: '가격 올리기' }).tap();
  await expect.poll(async () => digitsOf(await price.innerText())).toBe('330500');
  await page.getByRole('button', { name: '가격 내리기' }).tap();
  await page.getByRole('button', { name: '가격 내리기' }).tap();
  await expect.poll(async () => digitsOf(await price.innerText())).toBe('329500');

  await quantity.tap();
  await page.getByRole('button', { name: '25%' }).tap();
  await expect.poll(async () => digitsOf(await quantity.innerText())).toBe('1');
  const offered = await confirmOrder(page, NAME, '판매');
  await page.getByRole('heading', { level: 1, name: '체결을 기다려요' }).waitFor();
  await page.getByRole('button', { name: '대기 주문 보기' }).tap();
  await page.waitForURL((url) => url.pathname === '/my/orders/wait');
  await page.getByText('1주 · 329,500원').waitFor();
  await page.getByText(/^현재가보다 [\d.]+% (높|낮)아요$/).waitFor();
  await expectAccessible(page);
  expect(await waitingOf(session)).toMatchObject([{ orderSid: offered, juPrc: 329_500, juQty: 1, status: 'ACCEPTED' }]);
  expect(await holdingsOf(session)).toMatchObject([{ isuSrtCd: '005930', juQty: 4, heldQty: 1 }]);

  await cancelWaiting(page, NAME, '판매');
  await page.getByText('대기 중인 주문이 없어요').waitFor();
  await eventually('the share is free again', async () => (await holdingsOf(session))[0]?.heldQty === 0);
  expect(pageErrors).toEqual([]);
  await context.close();
});
