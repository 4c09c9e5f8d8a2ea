import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { holdingsOf, waitingOf } from './support/books';
import { launchBrowser, openPhone } from './support/browser';
import { press } from './support/mainJob';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Two touches of the same place, `gapMs` apart, wherever what the first one opens comes to lie. */
const tapTwice = async (page: Page, target: Locator, gapMs: number): Promise<void> => {
  const box = await target.boundingBox();
  if (box === null) throw new Error('there is nothing to tap');
  // The right end, where the confirming button of a sheet lies.
  const [x, y] = [box.x + box.width * 0.8, box.y + box.height / 2];
  await page.touchscreen.tap(x, y);
  await page.waitForTimeout(gapMs);
  await page.touchscreen.tap(x, y);
};

test.each([60, 150, 240, 330, 420])('two taps %s ms apart order nothing, and do not skip what was ordered', async (gapMs) => {
  const { page, context } = await openPhone(browser);
  const session = await newMemberOn(context);
  let orders = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stock/order')) orders += 1;
  });
  await page.goto('/order/stock/047040?side=buy');
  await page.getByRole('heading', { level: 1, name: '대우건설 구매' }).waitFor();
  await press(page, '5');

  await tapTwice(page, page.getByRole('button', { name: '구매하기' }), gapMs);
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.waitFor();
  // Whatever the second tap set going would be on its way by now.
  await page.waitForTimeout(1_000);
  expect(orders).toBe(0);
  expect(await holdingsOf(session)).toEqual([]);
  expect(await waitingOf(session)).toEqual([]);

  await tapTwice(page, sheet.getByRole('button', { name: '구매하기' }), gapMs);
  await page.getByRole('heading', { level: 1, name: '대우건설 구매 주문 완료' }).waitFor();
  await page.waitForTimeout(1_000);
  expect(await page.getByRole('heading', { level: 1, name: '대우건설 구매 주문 완료' }).isVisible()).toBe(true);
  expect(orders).toBe(1);
  await context.close();
});
