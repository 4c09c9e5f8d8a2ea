import type { Browser, Page, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { priceMoves } from './support/screen';

const SHELL_AGENT = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 InvestApp/ios/1.0';
const BRIDGE_AFTER_MS = 1_400;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Line {
  opened: { atMs: number; socket: WebSocket }[];
  isOpen: () => boolean;
}

const watchLine = (page: Page): Line => {
  const opened: Line['opened'] = [];
  page.on('websocket', (socket) => opened.push({ atMs: Date.now(), socket }));
  return { opened, isOpen: () => opened.at(-1)?.socket.isClosed() === false };
};

/** Hides or shows the page, as switching apps does. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (hidden ? 'hidden' : 'visible') });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, isHidden);

// J09: the shell decides about the connection.
test('in a native shell the connection waits for the bridge, and is closed while the app is hidden', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { userAgent: SHELL_AGENT });
  await page.addInitScript((afterMs) => {
    setTimeout(() => {
      Object.assign(window, { AppBridge: { postMessage: () => undefined }, bridgedAtMs: Date.now() });
    }, afterMs);
  }, BRIDGE_AFTER_MS);
  const line = watchLine(page);
  await page.goto('/invest-v2/stock');
  const rows = page.getByRole('main').getByRole('list');
  await page.getByText('실시간', { exact: true }).waitFor();
  const bridgedAtMs = await page.evaluate(() => (window as unknown as { bridgedAtMs: number }).bridgedAtMs);
  expect(line.opened).toHaveLength(1);
  expect(line.opened[0]?.atMs).toBeGreaterThanOrEqual(bridgedAtMs);
  await priceMoves(rows);

  await setHidden(page, true);
  await expect.poll(line.isOpen).toBe(false);
  await setHidden(page, false);
  await expect.poll(line.isOpen).toBe(true);
  expect(line.opened).toHaveLength(2);
  await page.getByText('실시간', { exact: true }).waitFor();
  await priceMoves(rows);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('in a shell whose bridge never answers prices are polled, and nothing connects', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { userAgent: SHELL_AGENT });
  const line = watchLine(page);
  await page.goto('/invest-v2/stock');
  await page.getByText('실시간 연결이 끊겼어요').waitFor();
  await priceMoves(page.getByRole('main').getByRole('list'), 2);
  expect(line.opened).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a plain browser connects at once and stays connected while its tab is hidden', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const line = watchLine(page);
  await page.goto('/invest-v2/stock');
  await page.getByText('실시간', { exact: true }).waitFor();
  await setHidden(page, true);
  await priceMoves(page.getByRole('main').getByRole('list'), 2);
  await setHidden(page, false);
  expect(line.opened).toHaveLength(1);
  expect(line.isOpen()).toBe(true);
  expect(pageErrors).toEqual([]);
  await context.close();
});
