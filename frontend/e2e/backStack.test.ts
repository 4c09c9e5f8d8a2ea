import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { press } from './support/mainJob';
import { rowOf } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Goes back from an overlay, once its history entry exists: a test is faster than a thumb. */
const backFrom = async (page: Page, overlay: Locator): Promise<void> => {
  await overlay.waitFor();
  await expect
    .poll(() => page.evaluate(() => (history.state as { usr?: { overlays?: string[] } } | null)?.usr?.overlays?.length ?? 0))
    .toBe(1);
  await page.goBack();
  await overlay.waitFor({ state: 'hidden' });
};

// J32: back removes one layer at a time, and never the page below an open one.
test('from the list to a confirmation and back again, layer by layer', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  const path = (): string => new URL(page.url()).pathname;
  await page.goto('/invest-v2/stock?tab=kospi');
  await rowOf(page, '삼성전자').getByRole('link', { name: '삼성전자', exact: true }).tap();
  await page.getByRole('img', { name: '삼성전자 1일 차트.' }).waitFor();

  // A sheet over the detail.
  await page.getByRole('button', { name: '표로 보기' }).tap();
  const table = page.getByRole('dialog', { name: /시세$/ });
  await table.getByRole('table').waitFor();
  await backFrom(page, table);
  expect(path()).toBe('/invest-v2/stock/005930');

  // The full-screen chart.
  await page.getByRole('button', { name: '차트 크게 보기' }).tap();
  await backFrom(page, page.getByRole('dialog', { name: '삼성전자 차트' }));
  expect(path()).toBe('/invest-v2/stock/005930');

  // The order and its confirmation.
  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자 구매' }).waitFor();
  await press(page, '2');
  await page.getByRole('button', { name: '구매하기' }).tap();
  await backFrom(page, page.getByRole('dialog', { name: /구매할까요\?$/ }));
  expect(path()).toBe('/order/stock/005930');
  // The typed quantity is kept.
  await expect.poll(() => page.getByRole('button', { name: /^수량/ }).innerText()).toMatch(/2/);
  await page.goBack();
  await page.getByRole('img', { name: '삼성전자 1일 차트.' }).waitFor();
  expect(path()).toBe('/invest-v2/stock/005930');
  await page.goBack();
  await rowOf(page, '삼성전자').waitFor();
  expect(path() + new URL(page.url()).search).toBe('/invest-v2/stock?tab=kospi');
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('back from a screen opened by a link leads a member home and a visitor to its parent', async () => {
  const visitor = await openPhone(browser);
  const member = await openPhone(browser);
  await newMemberOn(member.context);
  for (const [{ context }, from, to] of [
    [member, '/invest-v2/stock/005930', '/home'],
    [member, '/my/holdings', '/home'],
    [visitor, '/invest-v2/stock/005930', '/invest-v2/stock'],
    [visitor, '/invest-v2/coin/KRW-BTC?refMarketCode=coin', '/invest-v2/coin'],
  ] as const) {
    const opened = await context.newPage();
    await opened.goto(from);
    await opened.getByRole('button', { name: '뒤로 가기' }).tap();
    await opened.waitForURL((url) => url.pathname === to);
    await opened.close();
  }
  for (const { context, pageErrors } of [member, visitor]) {
    expect(pageErrors).toEqual([]);
    await context.close();
  }
});
