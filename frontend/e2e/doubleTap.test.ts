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

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const boxOf = async (place: Locator): Promise<Box> => {
  const box = await place.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return box;
};

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Two touches at the same place, `gapMs` apart, whatever the first one opens there. */
const tapTwice = async (page: Page, target: Locator, gapMs: number): Promise<void> => {
  const box = await boxOf(target);
  // The right end, where a sheet has its confirming button.
  const [x, y] = [box.x + box.width * 0.8, box.y + box.height / 2];
  await page.touchscreen.tap(x, y);
  await page.waitForTimeout(gapMs);
  await page.touchscreen.tap(x, y);
};

/**
 * By then the effect of the second tap is visible. After the half second it may have hit the closing button, the only one
 * allowed there; then the sheet is opened again.
 */
const opened = async (page: Page, sheet: Locator, opener: Locator): Promise<void> => {
  await page.waitForTimeout(1_000);
  if (await sheet.isVisible()) return;
  await opener.tap();
  await sheet.waitFor();
  await page.waitForTimeout(1_000);
};

test.each([60, 150, 240, 360, 480])('two taps %s ms apart order nothing, and do not skip a result', async (gapMs) => {
  const { page, context } = await openPhone(browser);
  const session = await newMemberOn(context);
  let orders = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stock/order')) orders += 1;
  });
  await page.goto('/order/stock/047040?side=buy');
  await page.getByRole('heading', { level: 1, name: '대우건설 구매' }).waitFor();
  await press(page, '5');

  const opener = await boxOf(page.getByRole('button', { name: '구매하기' }));
  await tapTwice(page, page.getByRole('button', { name: '구매하기' }), gapMs);
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.waitFor();
  await opened(page, sheet, page.getByRole('button', { name: '구매하기' }));
  expect(orders).toBe(0);
  expect(await holdingsOf(session)).toEqual([]);
  expect(await waitingOf(session)).toEqual([]);

  const confirming = await boxOf(sheet.getByRole('button', { name: '구매하기' }));
  expect(overlap(opener, confirming), JSON.stringify({ opener, confirming })).toBe(false);
  await tapTwice(page, sheet.getByRole('button', { name: '구매하기' }), gapMs);
  await page.getByRole('heading', { level: 1, name: '대우건설 구매 주문 완료' }).waitFor();
  await page.waitForTimeout(1_000);
  expect(await page.getByRole('heading', { level: 1, name: '대우건설 구매 주문 완료' }).isVisible()).toBe(true);
  expect(orders).toBe(1);
  for (const name of ['확인', '보유 종목 보기', '대기 주문 보기', '왜 이 가격?', '다른 종목 둘러보기']) {
    const button = page.getByRole('button', { name });
    if (await button.isVisible()) expect(overlap(confirming, await boxOf(button)), name).toBe(false);
  }
  await context.close();
});

// An instrument with a 경고 of the exchange: one more question, and three buttons that must not overlap.
test.each([
  [60, '100%'],
  [480, '100%'],
  [480, '200%'],
])('two taps %s ms apart skip no warning either, with text of %s', async (gapMs, text) => {
  const { page, context } = await openPhone(browser);
  const session = await newMemberOn(context);
  let orders = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stock/order')) orders += 1;
  });
  await page.goto('/order/stock/079650?side=buy');
  await page.getByRole('heading', { level: 1, name: '서산 구매' }).waitFor();
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, text);
  await press(page, '5');

  const opener = await boxOf(page.getByRole('button', { name: '구매하기' }));
  await tapTwice(page, page.getByRole('button', { name: '구매하기' }), gapMs);
  const warning = page.getByRole('dialog', { name: '투자 경고 종목이에요' });
  await warning.waitFor();
  await opened(page, warning, page.getByRole('button', { name: '구매하기' }));
  expect(await page.getByRole('dialog', { name: /구매할까요\?$/ }).isVisible()).toBe(false);
  const accept = warning.getByRole('button', { name: '알고 주문할게요' });
  const accepting = await boxOf(accept);
  expect(overlap(opener, accepting), JSON.stringify({ opener, accepting })).toBe(false);

  await tapTwice(page, accept, gapMs);
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.waitFor();
  await page.waitForTimeout(1_000);
  expect(await sheet.isVisible()).toBe(true);
  const confirming = await boxOf(sheet.getByRole('button', { name: '구매하기' }));
  for (const earlier of [opener, accepting]) expect(overlap(earlier, confirming), JSON.stringify({ earlier, confirming })).toBe(false);
  expect(orders).toBe(0);
  expect(await waitingOf(session)).toEqual([]);
  await context.close();
});

test.each([
  ['412 × 915', 412, 915, '100%'],
  ['320 × 640', 320, 640, '100%'],
  ['320 × 640 with letters of twice the size', 320, 640, '200%'],
])('at %s the quantity of a limit order and its button are in view, and no confirming button is where it was opened', async (_size, width, height, text) => {
  const { page, context } = await openPhone(browser);
  await newMemberOn(context);
  await page.setViewportSize({ width, height });
  await page.goto('/order/stock/047040?side=buy');
  await page.getByRole('button', { name: '지정가' }).waitFor();
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, text);
  await page.getByRole('button', { name: '지정가' }).tap();
  const cta = page.getByRole('button', { name: '구매하기' });
  const screen = { x: 0, y: 0, width, height };
  const quantity = await boxOf(page.getByRole('button', { name: /^수량/ }));
  const button = await boxOf(cta);
  for (const box of [quantity, button]) expect(box.y + box.height, JSON.stringify(box)).toBeLessThanOrEqual(screen.height);
  expect(overlap(quantity, button)).toBe(false);

  await page.getByRole('button', { name: /^수량/ }).tap();
  await press(page, '2');
  const opener = await boxOf(cta);
  await cta.tap();
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.waitFor();
  await page.waitForTimeout(1_000);
  const confirming = await boxOf(sheet.getByRole('button', { name: '구매하기' }));
  expect(overlap(opener, confirming), JSON.stringify({ opener, confirming })).toBe(false);
  expect(confirming.y + confirming.height).toBeLessThanOrEqual(height);
  await context.close();
});
