import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Where each text that can be seen stands, in whole pixels. */
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

const LISTS = [
  { path: '/invest-v2/stock', placeholder: '주식 종목을 입력하세요' },
  { path: '/invest-v2/coin', placeholder: '코인 종목을 입력하세요' },
  { path: '/invest-v2/gold', placeholder: '원자재 종목을 입력하세요' },
];

// The page of the server alone is what a phone shows while the program is on its way; nothing in it may move afterwards.
test.each(LISTS)('$path has its texts in place before the program is there', async ({ path, placeholder }) => {
  const { context, page } = await openPhone(browser);
  const texts = ['투자', '주식', '코인', '금', '예적금', placeholder, '홈', '마이'];

  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto(path, { waitUntil: 'load' });
  await page.getByText(placeholder).waitFor();
  const before = await placesOf(page, texts);
  expect(Object.keys(before)).toHaveLength(texts.length);
  const firstRow = await page.locator('.boot-row').first().boundingBox();

  await page.unroute(/\/assets\/.*\.js$/);
  await page.goto(path);
  await page.getByRole('button', { name: placeholder }).waitFor();
  expect(await placesOf(page, texts)).toEqual(before);
  if (path !== '/invest-v2/gold') {
    const row = await page.getByRole('listitem').filter({ has: page.locator('a[href^="/invest-v2/"]') }).first().boundingBox();
    expect(row?.y).toBeCloseTo(firstRow?.y ?? 0, 0);
  }
  await context.close();
});

test('a detail begins with the shapes of a detail and the sentence about its prices, and no list', async () => {
  const { context, page } = await openPhone(browser);
  const note = '회사 이름은 실제와 같지만 가격은 연습용으로 만든 시세예요. 실제 시장 가격과 다르고, 실제 돈은 오가지 않아요.';
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto('/invest-v2/stock/005930', { waitUntil: 'load' });
  await page.locator('.boot-detail > i').first().waitFor();
  expect(await page.locator('.boot-row').first().isVisible()).toBe(false);
  expect(await page.locator('.boot-list').isVisible()).toBe(false);
  const periods = await page.locator('.boot-detail > :nth-child(5)').boundingBox();
  const facts = await page.locator('.boot-detail > :nth-child(6)').boundingBox();
  const said = await placesOf(page, [note]);
  expect(Object.keys(said)).toEqual([note]);

  // The program is there, and the prices are not.
  await page.unroute(/\/assets\/.*\.js$/);
  const prices = '**/api/v1/stock/real/code/005930';
  await page.route(prices, () => undefined);
  await page.goto('/invest-v2/stock/005930', { waitUntil: 'domcontentloaded' });
  await page.locator('.boot-detail').waitFor({ state: 'detached' });
  expect(await placesOf(page, [note])).toEqual(said);

  await page.unroute(prices);
  await page.goto('/invest-v2/stock/005930');
  const tabs = await page.getByRole('tablist', { name: '차트 기간' }).boundingBox();
  const heading = await page.getByRole('heading', { name: '시세' }).boundingBox();
  expect([tabs?.y, tabs?.height, heading?.y]).toEqual([periods?.y, periods?.height, facts?.y]);
  expect(await placesOf(page, [note])).toEqual(said);
  await context.close();
});

test('home begins with the shapes of home, for a member', async () => {
  const { context, page } = await openPhone(browser);
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto('/home', { waitUntil: 'load' });
  expect(await page.locator('.boot-home').isVisible()).toBe(false);

  const { memberSid } = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), memberSid);
  await page.goto('/home', { waitUntil: 'load' });
  const level = await page.locator('.boot-home > :nth-child(6)').boundingBox();
  const figure = await page.locator('.boot-home > :nth-child(3)').boundingBox();
  expect(await placesOf(page, ['홈'])).toHaveProperty('홈');

  await page.unroute(/\/assets\/.*\.js$/);
  await page.goto('/home');
  const card = await page.getByRole('meter').locator('..').boundingBox();
  const total = await page.getByRole('region', { name: '내 총자산' }).getByText(/[\d,]{5,}원/).first().boundingBox();
  expect(card?.y).toBeCloseTo(level?.y ?? 0, -1);
  expect(total?.y).toBeCloseTo(figure?.y ?? 0, -1);
  await context.close();
});
