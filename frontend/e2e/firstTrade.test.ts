import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buyByApi, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { eventually } from './support/processes';
import { priceMoves } from './support/screen';
import { newMemberOn } from './support/session';

const WIDE = { width: 412, height: 915 };
const NARROW = { width: 320, height: 640 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const wonOf = (text: string): number => Number((/([\d,]+)원/.exec(text)?.[1] ?? '').replaceAll(',', ''));
const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

describe.each([
  ['light', false],
  ['dark', true],
])('in %s', (_theme, dark) => {
  test('a visitor learns on one screen what this is, and continues to browse or to join', async () => {
    const { context, page, pageErrors } = await openPhone(browser, { dark });
    await page.goto('/');
    const market = page.getByRole('region', { name: '지금 인기 있는 주식' });
    await priceMoves(market);
    await expectAccessible(page);
    // Everything is in view: the product, prices, both ways in.
    const isScrolling = await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
    expect(isScrolling).toBe(false);
    for (const name of ['둘러보기', '시작하기', '로그인']) expect(await page.getByRole('link', { name, exact: true }).isVisible()).toBe(true);
    await page.setViewportSize(NARROW);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    for (const name of ['둘러보기', '시작하기']) {
      const box = await page.getByRole('link', { name, exact: true }).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(NARROW.height);
    }
    await page.setViewportSize(WIDE);
    await page.getByRole('link', { name: '둘러보기', exact: true }).tap();
    await page.waitForURL((url) => url.pathname === '/invest-v2/stock');
    await page.goBack();
    await page.getByRole('link', { name: '시작하기', exact: true }).tap();
    await page.waitForURL((url) => url.pathname === '/join');
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

test('a new member is led to the first share, and then sees the change of the day', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  await page.goto('/home');
  await page.getByRole('dialog', { name: '시드업 둘러보기' }).getByRole('button', { name: '건너뛰기' }).tap();
  await page.getByRole('dialog', { name: '가상 머니를 넣어드렸어요' }).getByRole('button', { name: '좋아요' }).tap();
  const guide = page.getByRole('region', { name: '첫 거래를 해볼까요?' });
  const suggested = guide.getByRole('link').first();
  await suggested.waitFor();
  await expectAccessible(page);
  expect(await sideways(page)).toBeLessThanOrEqual(0);
  const name = await suggested.innerText();
  await suggested.tap();
  await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
  const code = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const bought = await Promise.all([buyByApi(session, { code, qty: 1 }), buyByApi(session, { code: 'KRW-XRP', qty: 20 })]);
  for (const order of bought) {
    await eventually('the first share is bought', async () => (await orderOf(session, order.orderSid)).order.status === 'FILLED');
  }

  await page.goto('/home');
  const owned = page.getByRole('region', { name: '보유 종목' });
  await owned.getByRole('link', { name: new RegExp(name) }).waitFor();
  expect(await guide.count()).toBe(0);
  const hero = page.getByRole('region', { name: '내 총자산' });
  await hero.getByText('오늘', { exact: true }).waitFor();
  // The total differs from the starting money only by today's change.
  await expect
    .poll(async () => {
      const text = await hero.innerText();
      const [, arrow = '', change = ''] = /오늘\s*([▲▼]?)\s*([\d,]+)원/.exec(text) ?? [];
      const moved = Number(change.replaceAll(',', '')) * (arrow === '▼' ? -1 : 1);
      return wonOf(text.replace(/^[^\d]*/, '')) - 5_000_000 - moved;
    })
    .toBe(0);
  await expectAccessible(page);

  await page.goto('/my/holdings');
  const header = page.getByRole('region', { name: '평가 금액' });
  await page.getByRole('main').getByRole('listitem').filter({ hasText: '평균' }).nth(1).waitFor();
  await priceMoves(header);
  // Read repeatedly while prices move: the header is the sum of the rows.
  for (let reading = 0; reading < 20; reading += 1) {
    const [total, ...rows] = await page.evaluate(() => {
      const figure = (element: Element | null): number => Number((/([\d,]+)원/.exec(element?.textContent ?? '')?.[1] ?? '').replaceAll(',', ''));
      const values = [...document.querySelectorAll('main ul li a')].map((row) => {
        const text = row.textContent ?? '';
        return Number((/평균 [\d,.]+원\s*([\d,]+)원/.exec(text)?.[1] ?? '').replaceAll(',', ''));
      });
      return [figure(document.querySelector('section[aria-label="평가 금액"] p:nth-of-type(2)')), ...values];
    });
    expect(rows).toHaveLength(2);
    expect(rows.reduce((sum, value) => sum + value, 0)).toBe(total);
    await page.waitForTimeout(150);
  }
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  expect(await sideways(page)).toBeLessThanOrEqual(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('an index fund shows its largest constituents, and others have none', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await page.goto('/invest-v2/stock-etf/069500');
  const members = page.getByRole('region', { name: '담긴 종목' });
  await members.getByRole('listitem').nth(9).waitFor();
  expect(await members.getByRole('listitem').first().innerText()).toContain('비중');
  await expectAccessible(page);
  const answered = page.waitForResponse((response) => response.url().includes('/stock/index-constituents/114800'));
  await page.goto('/invest-v2/stock-etf/114800');
  expect((await answered).ok()).toBe(true);
  await page.getByRole('heading', { level: 1, name: 'KODEX 인버스' }).waitFor({ state: 'attached' });
  expect(await members.count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});
