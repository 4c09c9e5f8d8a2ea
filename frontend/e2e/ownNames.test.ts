import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { product } from './support/product';
import { priceMoves, rowOf } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('prices are live under another name of the machine, from the edge under that name', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const other = (origin: string) => origin.replace('localhost', '127.0.0.1');
  expect(other(product.origin)).not.toBe(product.origin);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.goto(`${other(product.origin)}/invest-v2/stock?tab=kospi&sort=value`);
  await priceMoves(rowOf(page, '삼성전자'));
  expect(sockets).toEqual([`${other(product.siseOrigin).replace('http', 'ws')}/ws2`]);
  expect(pageErrors).toEqual([]);
  await context.close();
});
