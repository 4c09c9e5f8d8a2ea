import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { doMainJob, joinOnScreen } from './support/mainJob';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a newcomer joins, buys a share, sees it fill, cancels an order, sells, and every won is explained', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await joinOnScreen(page, '/invest-v2/stock');
  await doMainJob(page, {
    category: 'stock',
    code: '005930',
    name: '삼성전자',
    unit: '주',
    listPath: '/invest-v2/stock?tab=kospi',
    detailPath: '/invest-v2/stock/005930',
    buyQty: '3',
    lowPrice: (price) => String(Math.floor((price * 0.8) / 1_000) * 1_000),
  });
  expect(pageErrors).toEqual([]);
  await context.close();
}, 180_000);

test('the same with a coin', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { dark: true });
  await joinOnScreen(page, '/invest-v2/coin');
  await doMainJob(page, {
    category: 'coin',
    code: 'KRW-ETH',
    name: '이더리움',
    unit: '개',
    listPath: '/invest-v2/coin',
    detailPath: '/invest-v2/coin/KRW-ETH',
    buyQty: '0.25',
    lowPrice: (price) => String(Math.floor((price * 0.5) / 10_000) * 10_000),
  });
  expect(pageErrors).toEqual([]);
  await context.close();
}, 180_000);

test('the same with gold', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await joinOnScreen(page, '/invest-v2/gold');
  await doMainJob(page, {
    category: 'gold',
    code: '04020000',
    name: '금 99.99_1Kg',
    unit: 'g',
    listPath: '/invest-v2/gold',
    detailPath: '/invest-v2/gold/04020000',
    buyQty: '7',
    lowPrice: (price) => String(Math.floor((price * 0.95) / 100) * 100),
  });
  expect(pageErrors).toEqual([]);
  await context.close();
}, 180_000);
