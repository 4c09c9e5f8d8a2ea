import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const HOLD_MS = 500;
const MINUTE_MS = 60_000;

const pictureOf = (page: Page, name: string): Locator => page.getByRole('tabpanel').getByRole('img', { name });
const heroOf = (page: Page): Locator => page.getByRole('main').locator('section').first();
/** The bar under the finger: time and price. */
const pillOf = (page: Page): Locator => page.getByText(/^\d\d\.\d\d \d\d:\d\d\s+[\d,.]+원$/);

/** The figure of `132,450,000원` as written. */
const figureOf = (text: string): string => text.replace(/[^\d,.]/g, '');

/** A finger on the chart, placed by shares of its width. */
const fingerOn = async (page: Page): Promise<{ session: CDPSession; x: (share: number) => number; y: number }> => {
  const box = await page.getByRole('tabpanel').locator('canvas').first().boundingBox();
  if (box === null) throw new Error('there is no canvas');
  return { session: await page.context().newCDPSession(page), x: (share) => box.x + box.width * share, y: box.y + box.height / 2 };
};

const touch = (session: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number): Promise<unknown> =>
  session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });

/** The values under a finger held at these shares of the width in turn, without lifting. */
const readAt = async (page: Page, shares: readonly number[]): Promise<{ time: number; price: string }[]> => {
  const { session, x, y } = await fingerOn(page);
  const read: { time: number; price: string }[] = [];
  await touch(session, 'touchStart', x(shares[0] ?? 0.5), y);
  await page.waitForTimeout(HOLD_MS);
  for (const share of shares) {
    await touch(session, 'touchMove', x(share), y);
    await page.waitForTimeout(120);
    const [, month, day, hour, minute, price] = /^(\d\d)\.(\d\d) (\d\d):(\d\d)\s+(.+)$/.exec(await pillOf(page).innerText()) ?? [];
    read.push({ time: Date.UTC(2026, Number(month) - 1, Number(day), Number(hour), Number(minute)), price: price ?? '' });
    expect(await heroOf(page).innerText()).toContain(price);
  }
  await touch(session, 'touchEnd', 0, 0);
  await pillOf(page).waitFor({ state: 'hidden' });
  return read;
};

const drag = async (page: Page, from: number, to: number): Promise<void> => {
  const { session, x, y } = await fingerOn(page);
  await touch(session, 'touchStart', x(from), y);
  for (let step = 1; step <= 8; step += 1) await touch(session, 'touchMove', x(from + ((to - from) * step) / 8), y);
  await touch(session, 'touchEnd', 0, 0);
  await page.waitForTimeout(600);
};

test('a coin’s day chart covers one day, with the high and low of its quote', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const older: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).searchParams.has('to')) older.push(request.url());
  });
  await page.goto('/invest-v2/coin/KRW-BTC?refMarketCode=coin');
  const picture = pictureOf(page, '비트코인 1일 차트.');
  await picture.waitFor();
  const label = page.getByText(/^최고 [\d,]+원$/).filter({ visible: true });
  await label.waitFor();
  const fact = (name: string): Promise<string> =>
    page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]').innerText();
  // Prices continue meanwhile.
  await expect
    .poll(async () => {
      const [, high, low] = /최고 ([\d,.]+)원, 최저 ([\d,.]+)원/.exec((await picture.getAttribute('aria-label')) ?? '') ?? [];
      return [high === figureOf(await fact('고가')), low === figureOf(await fact('저가')), (await label.innerText()).includes(high ?? '-')];
    })
    .toEqual([true, true, true]);
  await page.waitForTimeout(2_000);
  expect(older).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('fingers scroll candles of a readable width, and read them until lifted', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await page.goto('/invest-v2/coin/KRW-BTC?refMarketCode=coin');
  await pictureOf(page, '비트코인 1일 차트.').waitFor();
  await page.getByRole('button', { name: '봉 차트로 보기' }).tap();
  await page.getByRole('button', { name: '1분', exact: true }).tap();
  await page.getByText(/^최고 /).filter({ visible: true }).waitFor();
  await page.waitForTimeout(500);

  const [first, last] = await readAt(page, [0.02, 0.98]);
  const shown = ((last?.time ?? 0) - (first?.time ?? 0)) / MINUTE_MS;
  expect(shown).toBeGreaterThan(10);
  expect(shown).toBeLessThanOrEqual(120);

  const asksOlder = page.waitForResponse((response) => new URL(response.url()).searchParams.has('to') && response.ok());
  for (let turn = 0; turn < 40; turn += 1) {
    await drag(page, 0.1, 0.9);
    if (turn === 0) {
      const [moved] = await readAt(page, [0.02]);
      expect(moved?.time).toBeLessThan(first?.time ?? 0);
    }
    if (await Promise.race([asksOlder.then(() => true), page.waitForTimeout(50).then(() => false)])) break;
  }
  await asksOlder;

  // At any position the extremes are those in view and inside the chart.
  const frame = await page.getByRole('tabpanel').boundingBox();
  for (const name of [/^최고 /, /^최저 /]) {
    const box = await page.getByText(name).filter({ visible: true }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(frame?.x ?? 0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
    expect(box?.y).toBeGreaterThanOrEqual(frame?.y ?? 0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
  }

  await page.getByRole('button', { name: '월', exact: true }).tap();
  await pictureOf(page, '비트코인 5년 차트.').waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});
