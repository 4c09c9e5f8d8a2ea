import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { doMainJob, joinOnScreen } from './support/mainJob';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('on recorded prices a newcomer buys, reads the receipt, cancels, sells, and every won is explained', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await joinOnScreen(page, '/invest-v2/stock');
  await doMainJob(page, {
    category: 'stock',
    code: 'AAPL',
    name: '애플',
    unit: '주',
    listPath: '/invest-v2/stock',
    detailPath: '/invest-v2/stock/AAPL',
    buyQty: '2',
    lowPrice: (dollars) => String(Math.floor(dollars / 2)),
  });
  expect(pageErrors).toEqual([]);
  await context.close();
}, 180_000);

test('recorded prices are in dollars, marked as a replay, with the won next to them', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { dark: true });
  await page.goto('/invest-v2/stock');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(5);
  for (const code of ['AAPL', 'FB', 'IBM', 'MSFT', 'GOOG']) {
    const row = await rows.filter({ hasText: code }).innerText();
    expect(row).toMatch(/\$\d/);
    expect(row).toMatch(/\d원/);
  }
  await page.getByText('과거에 기록된 가격을 다시 재생하는 연습용 시세예요. 지금 시장 가격이 아니고, 실제 돈은 오가지 않아요.').waitFor();
  await expectAccessible(page);
  await page.goto('/invest-v2/stock/IBM');
  await page.getByText('기준 환율').waitFor();
  await page.getByRole('img', { name: '1일 차트.' }).waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});
