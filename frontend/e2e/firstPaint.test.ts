import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Blocked for the first picture, except for the script that draws known data. */
const PROGRAM = /\/assets\/(?!first\.)[^/]*\.js$/;

/** The positions of all visible texts, in whole pixels. */
const placesOf = async (page: Page, texts: readonly string[]): Promise<Record<string, number[]>> => {
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  return page.evaluate((wanted) => {
    const places: Record<string, number[]> = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, top, width, height } = range.getBoundingClientRect();
      if (wanted.includes(text) && width > 1) places[text] ??= [left, top, width, height].map(Math.round);
    }
    return places;
  }, texts);
};

/** The start of a row's name and the end of its price, relative to the row, and the row's height. */
const placesIn = (row: Locator): Promise<Record<string, number>> =>
  row.evaluate((element) => {
    const own = element.getBoundingClientRect();
    const boxOf = (isSought: (text: Text) => boolean): DOMRect => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
        isSought(node as Text) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
      );
      const range = document.createRange();
      range.selectNodeContents(walker.nextNode() ?? element);
      return range.getBoundingClientRect();
    };
    const name = boxOf(({ parentElement }) => Boolean(parentElement?.closest('a, b')));
    const price = boxOf(({ data }) => /^[\d.,]+원$/.test(data));
    const change = boxOf(({ data }) => data.endsWith('%'));
    const figures = { name: name.left, nameTop: name.top - own.top, price: price.right, priceTop: price.top - own.top, change: change.right, height: own.height };
    return Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, Math.round(value)]));
  });

/** The same at each phone width. */
const placesAtWidths = async (page: Page, row: Locator): Promise<Record<string, number>[]> => {
  const places: Record<string, number>[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 915 });
    places.push({ width, ...(await placesIn(row)) });
  }
  await page.setViewportSize({ width: 412, height: 915 });
  return places;
};

const WIDTHS = [320, 360, 412, 428];
const LISTS = [
  { path: '/invest-v2/stock', placeholder: '주식 종목을 입력하세요' },
  { path: '/invest-v2/coin', placeholder: '코인 종목을 입력하세요' },
  { path: '/invest-v2/gold', placeholder: '원자재 종목을 입력하세요' },
];

// A phone shows the static page while the client loads; nothing in it may move afterwards.
test.each(LISTS)('$path has its texts in place before the client loads', async ({ path, placeholder }) => {
  const { context, page } = await openPhone(browser);
  const texts = ['투자', '주식', '코인', '금', '예적금', placeholder, '홈', '학습', '마이'];

  await page.route(PROGRAM, (route) => route.abort());
  await page.goto(path, { waitUntil: 'load' });
  await page.getByText(placeholder).waitFor();
  const before = await placesOf(page, texts);
  expect(Object.keys(before)).toHaveLength(texts.length);
  const firstRow = await page.locator('.boot-row').first().boundingBox();
  const embedded = path === '/invest-v2/gold' ? [] : await placesAtWidths(page, page.locator('.boot-known').first());

  await page.unroute(PROGRAM);
  await page.goto(path);
  await page.getByRole('button', { name: placeholder }).waitFor();
  expect(await placesOf(page, texts)).toEqual(before);
  if (path !== '/invest-v2/gold') {
    const row = page.getByRole('listitem').filter({ has: page.locator('a[href^="/invest-v2/"]') }).first();
    expect((await row.boundingBox())?.y).toBeCloseTo(firstRow?.y ?? 0, 0);
    expect(await placesAtWidths(page, row)).toEqual(embedded);
  }
  await context.close();
});

/** As spec Q5 allows. */
const MAX_SHIFT = 0.01;
const SLOWER = 4;
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };

test.each([
  ['/invest-v2/stock', 9],
  ['/invest-v2/coin', 9],
  ['/invest-v2/gold', 3],
  ['/invest-v2/product', 9],
])('the texts of %s stay where a slow phone first draws them', async (path, rows) => {
  const { context, page } = await openPhone(browser);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await session.send('Network.emulateNetworkConditions', SLOW_LINE);
  await page.goto(path);
  await page.locator('main li').nth(rows - 1).waitFor();
  await page.waitForLoadState('networkidle');
  const shifted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Nothing is reported when nothing has moved.
        setTimeout(() => resolve(0), 1_000);
      }),
  );
  expect(shifted).toBeLessThanOrEqual(MAX_SHIFT);
  await context.close();
});

test('a detail starts with its skeleton and the price note, without a list', async () => {
  const { context, page } = await openPhone(browser);
  const note = '종목 이름은 실제와 같지만 가격은 연습용으로 만든 시세예요. 실제 시장 가격과 다르고, 실제 돈은 오가지 않아요.';
  await page.route(PROGRAM, (route) => route.abort());
  await page.goto('/invest-v2/stock/005930', { waitUntil: 'load' });
  const named = await page.locator('.boot-name').boundingBox();
  const priced = await page.locator('.boot-price').boundingBox();
  expect(await page.locator('.boot-row').first().isVisible()).toBe(false);
  expect(await page.locator('.boot-list').isVisible()).toBe(false);
  const periods = await page.locator('.boot-detail > :nth-child(5)').boundingBox();
  const facts = await page.locator('.boot-detail > :nth-child(6)').boundingBox();
  const said = await placesOf(page, [note]);
  expect(Object.keys(said)).toEqual([note]);

  // The client has loaded, and the prices have not.
  await page.unroute(PROGRAM);
  const prices = '**/api/v1/stock/real/code/005930';
  await page.route(prices, () => undefined);
  await page.route('**/invest-v2/stock/005930', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/(id="?first-prices"?[^>]*>)[^<]*/, '$1') });
  });
  await page.goto('/invest-v2/stock/005930', { waitUntil: 'domcontentloaded' });
  await page.locator('.boot-detail').waitFor({ state: 'detached' });
  expect(await placesOf(page, [note])).toEqual(said);

  await page.unroute(prices);
  await page.unroute('**/invest-v2/stock/005930');
  await page.goto('/invest-v2/stock/005930');
  const tabs = await page.getByRole('tablist', { name: '차트 기간' }).boundingBox();
  const heading = await page.getByRole('heading', { name: '시세' }).boundingBox();
  expect([tabs?.y, tabs?.height, heading?.y]).toEqual([periods?.y, periods?.height, facts?.y]);
  expect(await placesOf(page, [note])).toEqual(said);
  const name = await page.locator('#main').getByText(/^삼성전자 /).first().boundingBox();
  const price = await page.locator('#main').getByText(/^[\d,]+원$/).first().boundingBox();
  expect(name?.y).toBeCloseTo((named?.y ?? 0) + ((named?.height ?? 0) - (name?.height ?? 0)) / 2, 0);
  expect([price?.x, price?.y, price?.height]).toEqual([priced?.x, priced?.y, priced?.height]);
  await context.close();
});

test('a visitor who opens home is sent the login chunk and nothing unused', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await page.coverage.startJSCoverage({ reportAnonymousScripts: false });
  await page.goto('/home');
  await page.waitForURL((url) => url.pathname === '/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const ran = (await page.coverage.stopJSCoverage()).map(({ url }) => new URL(url).pathname);
  const pathsOf = (selector: string): Promise<string[]> =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const preloaded = await pathsOf('link[rel=preload]:not([as=font])');
  expect(preloaded).not.toEqual([]);
  expect([...ran, ...(await pathsOf('link[rel=stylesheet]'))]).toEqual(expect.arrayContaining(preloaded));
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('home starts with its skeleton for a member', async () => {
  const { context, page } = await openPhone(browser);
  await page.route(PROGRAM, (route) => route.abort());
  await page.goto('/home', { waitUntil: 'load' });
  expect(await page.locator('.boot-home').isVisible()).toBe(false);

  const { memberSid } = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), memberSid);
  await page.goto('/home', { waitUntil: 'load' });
  const level = await page.locator('.boot-home > :nth-child(6)').boundingBox();
  const figure = await page.locator('.boot-home > :nth-child(3)').boundingBox();
  expect(await placesOf(page, ['홈'])).toHaveProperty('홈');

  await page.unroute(PROGRAM);
  await page.goto('/home');
  const card = await page.getByRole('meter').locator('..').boundingBox();
  const total = await page.getByRole('region', { name: '내 총자산' }).getByText(/[\d,]{5,}원/).first().boundingBox();
  expect(card?.y).toBeCloseTo(level?.y ?? 0, -1);
  expect(total?.y).toBeCloseTo(figure?.y ?? 0, -1);
  await context.close();
});
