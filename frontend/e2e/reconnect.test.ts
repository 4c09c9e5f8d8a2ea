import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { priceMoves, rowOf } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Line {
  /** Cuts the current connection. */
  cut: () => Promise<void>;
  /** False: further connections are rejected. */
  isUp: boolean;
  /** Further connections wait for this. */
  held: Promise<void>;
  tries: number;
  sent: { type: string }[];
}

/** Puts a switch between the page and the price service; all prices still come from the service. */
const tapLine = async (page: Page): Promise<Line> => {
  let current: WebSocketRoute | null = null;
  const line: Line = {
    cut: async () => {
      await current?.close({ code: 1001 });
    },
    isUp: true,
    held: Promise.resolve(),
    tries: 0,
    sent: [],
  };
  await page.routeWebSocket(/\/ws2$/, async (socket) => {
    line.tries += 1;
    await line.held;
    if (!line.isUp) {
      void socket.close({ code: 1013 });
      return;
    }
    current = socket;
    const service = socket.connectToServer();
    socket.onMessage((message) => {
      line.sent.push(JSON.parse(String(message)) as { type: string });
      service.send(message);
    });
  });
  return line;
};

// The unit test of the socket checks the five seconds with a fake clock.
test('after a connection loss the page says so, reconnects by itself, and prices continue', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const line = await tapLine(page);
  await page.goto('/invest-v2/stock?tab=kospi');
  const live = page.getByText('실시간', { exact: true });
  await live.waitFor();
  await priceMoves(rowOf(page, '삼성전자'));
  // An immediate retry would hide the message.
  let connect = (): void => undefined;
  line.held = new Promise((resolve) => {
    connect = resolve;
  });
  await line.cut();
  await page.getByText('다시 연결하는 중').waitFor();
  await expectAccessible(page);
  connect();
  await live.waitFor();
  expect(line.tries).toBe(2);
  await priceMoves(rowOf(page, '삼성전자'));
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('after three failed retries it reports the lost connection, polls meanwhile, and reconnects on request', async () => {
  const { context, page } = await openPhone(browser);
  const line = await tapLine(page);
  await page.goto('/invest-v2/stock?tab=kospi');
  await page.getByText('실시간', { exact: true }).waitFor();
  line.isUp = false;
  await line.cut();
  await page.getByText('실시간 연결이 끊겼어요').waitFor({ timeout: 60_000 });
  expect(line.tries).toBe(4);
  await expectAccessible(page);
  // Prices are polled every ten seconds without a connection.
  await priceMoves(page.getByRole('main').getByRole('list'));
  expect(line.tries).toBe(4);

  line.isUp = true;
  await page.getByRole('button', { name: '다시 연결' }).tap();
  await page.getByText('실시간', { exact: true }).waitFor();
  await priceMoves(rowOf(page, '삼성전자'));
  await context.close();
});

test('an open connection is pinged every thirty seconds', async () => {
  const { context, page } = await openPhone(browser);
  const line = await tapLine(page);
  await page.clock.install();
  await page.goto('/invest-v2/stock?tab=kospi');
  await page.getByText('실시간', { exact: true }).waitFor();
  const pings = (): number => line.sent.filter(({ type }) => type === 'ping').length;
  await expect.poll(pings).toBe(1);
  for (let round = 0; round < 2; round += 1) {
    await priceMoves(page.getByRole('main').getByRole('list'));
    // The page's clock continues meanwhile, on a busy machine long enough for a ping.
    const before = pings();
    await page.clock.fastForward(30_000);
    await expect.poll(pings).toBeGreaterThan(before);
  }
  expect(line.tries).toBe(1);
  await context.close();
});
