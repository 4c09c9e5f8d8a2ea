import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountsOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { grantCash } from './support/operator';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Buys the item of the open page with a double tap, which buys once, and closes the receipt. */
async function buy(page: Page, name: string, done: string): Promise<void> {
  await page.getByRole('button', { name: '구매하기' }).tap();
  const confirm = page.getByRole('dialog', { name: `${name} 살까요?` }).getByRole('button', { name: '구매하기' });
  await expect.poll(() => confirm.getAttribute('aria-disabled')).toBe(null);
  await confirm.dblclick();
  await page.getByRole('heading', { level: 1, name: done }).waitFor();
}

/** Wears the item, which is delivered within a second or so. */
async function wear(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: '착용하기' }).tap();
  await page.getByRole('button', { name: '벗기' }).waitFor();
}

test.each([
  ['light', false],
  ['dark', true],
])('an item is tried on, bought once, worn and listed, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);
  await page.goto('/my');
  await page.getByRole('main').getByRole('link', { name: '아이템' }).tap();
  await page.getByRole('link', { name: '새싹 테두리' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: '새싹 테두리' }).tap();
  await page.getByRole('button', { name: '입어보기' }).tap();
  await page.getByRole('button', { name: '벗어보기' }).waitFor();
  await expectAccessible(page);
  await buy(page, '새싹 테두리를', '새싹 테두리를 샀어요');
  await expectAccessible(page);
  await page.getByRole('button', { name: '지금 착용하기' }).waitFor();
  await page.goto('/my/items/purchases');
  await page.getByRole('link', { name: /새싹 테두리/ }).waitFor();
  expect(await page.getByRole('link', { name: /새싹 테두리/ }).count()).toBe(1);
  await expectAccessible(page);
  expect((await accountsOf(session)).map(({ deposit }) => deposit)).toEqual([4_900_000]);

  await wear(page, '/my/items/10');
  await expectAccessible(page);
  await page.goto('/my/items/16');
  await buy(page, '개장 기념 명패를', '개장 기념 명패를 샀어요');
  await wear(page, '/my/items/16');
  await page.goto('/my');
  await page.getByRole('main').getByText('개장 기념', { exact: true }).waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a theme colours the app from then on, also at the next visit, until it is taken off', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  const accent = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-accent').trim());
  await page.goto('/my/items/6');
  await page.getByRole('button', { name: '구매하기' }).waitFor();
  const usual = await accent();
  await buy(page, '숲 테마를', '숲 테마를 샀어요');
  await wear(page, '/my/items/6');
  await expect.poll(accent).not.toBe(usual);
  const worn = await accent();
  // Before anything of the client has run.
  await page.route('**/*.js*', (route) => (/before-paint/.test(route.request().url()) ? route.continue() : route.abort()));
  await page.goto('/home', { waitUntil: 'commit' });
  await expect.poll(accent).toBe(worn);
  await page.unroute('**/*.js*');
  await page.goto('/my/items/6');
  await page.getByRole('button', { name: '벗기' }).tap();
  await page.getByRole('button', { name: '착용하기' }).waitFor();
  await expect.poll(accent).toBe(usual);
  expect(pageErrors.filter((error) => !/Failed to load|ERR_FAILED/.test(String(error)))).toEqual([]);
  await context.close();
});

test('a pack adds exactly its won to the deposit and takes its cash', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  expect((await accountsOf(session)).map(({ deposit }) => deposit)).toEqual([5_000_000]);
  await page.goto('/my/items/3');
  await page.getByText('10캐시 모자라요').waitFor();
  grantCash(session, 25);
  await page.reload();
  await buy(page, '열매 주머니를', '열매 주머니를 샀어요');
  await page.getByText('5,010,000원').waitFor();
  await page.getByText('15캐시').waitFor();
  expect((await accountsOf(session)).map(({ deposit }) => deposit)).toEqual([5_010_000]);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('freezes arrive in the calendar of learning, two at most', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  for (const path of ['/my/items/4', '/my/items/4']) {
    await page.goto(path);
    await buy(page, '연속 학습 지킴이를', '연속 학습 지킴이를 샀어요');
  }
  await page.goto('/my/items/4');
  await page.getByText('2개까지 가질 수 있어요').waitFor();
  await page.goto('/study-v2/calendar');
  await expect
    .poll(async () => {
      await page.reload();
      const held = page.getByText('연속 지킴이', { exact: true }).locator('xpath=..');
      return held.innerText({ timeout: 5_000 });
    }, { timeout: 30_000 })
    .toContain('2개');
  expect((await accountsOf(session)).map(({ deposit }) => deposit)).toEqual([4_900_000]);
  expect(pageErrors).toEqual([]);
  await context.close();
});
