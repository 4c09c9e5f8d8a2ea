import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { recordFirstTexts, textTimesOn } from './support/firstText';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

// The first price on a slow line. `make slow-phone` measures it by the clock; here it is computed from what does not depend on
// the load of the machine: bytes, sequential replies, and processor time.
const BYTES_PER_MS = 50;
const ANSWER_MS = 400;
const PROCESSOR = 4;
/** The page, and then the files it names. */
const ANSWERS_IN_A_CHAIN = 2;
/** The page, the styles of all screens, of this one and of overlays, and three scripts. */
const MAX_REQUESTS = 7;
const MAX_BYTES = 21_000;
const PRICE_MS = 2_500;
const HOME_MS = 2_000;

/** Blocked until the first amount is shown. */
const PROGRAM = /\/assets\/(?!first\.)[^/]*\.js$/;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Cost {
  bytes: number;
  requests: number;
  processorMs: number;
}

/** Opens the address without the client's code, so that only the static page can show an amount, and computes its cost. */
const costOfFirstAmount = async (context: BrowserContext, page: Page, path: string): Promise<Cost> => {
  await recordFirstTexts(context);
  await page.route(PROGRAM, (route) => route.abort());
  const session = await context.newCDPSession(page);
  let bytes = 0;
  const answered = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, type }) => {
    // Nothing waits for the font and the icon.
    if (['Document', 'Script', 'Stylesheet'].includes(type)) answered.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (answered.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(path, { waitUntil: 'load' });
  await eventually(`${path} shows an amount without the program`, async () => (await textTimesOn(page)).amount !== null);
  const { metrics } = await session.send('Performance.getMetrics');
  const processorMs = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity) * 1_000;
  return { bytes, requests: answered.size, processorMs };
};

const onSlowPhoneMs = ({ bytes, processorMs }: Cost): number => ANSWERS_IN_A_CHAIN * ANSWER_MS + bytes / BYTES_PER_MS + processorMs * PROCESSOR;

test.each(['/invest-v2/stock', '/invest-v2/coin', '/invest-v2/stock/005930', '/invest-v2/coin/KRW-BTC?refMarketCode=coin'])(
  'the first price of %s is there before the program',
  async (path) => {
    const { context, page } = await openPhone(browser);
    const cost = await costOfFirstAmount(context, page, path);
    expect(cost.bytes).toBeLessThan(MAX_BYTES);
    expect(cost.requests).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(onSlowPhoneMs(cost)).toBeLessThan(PRICE_MS);
    await context.close();
  },
);

test('home starts with the last known money of the member and its time', async () => {
  const { context, page } = await openPhone(browser);
  const { memberSid } = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), memberSid);
  await page.goto('/home');
  await page.waitForFunction(() => localStorage.getItem('last-known')?.includes('"assets"'));
  const cost = await costOfFirstAmount(context, page, '/home');
  expect(onSlowPhoneMs(cost)).toBeLessThan(HOME_MS);
  expect(await page.locator('.boot-home').innerText()).toMatch(/내 총자산\s*\d\d:\d\d 기준[\s\S]*[\d,]+원/);

  // The client keeps the amount until its reply arrives.
  await page.unroute(PROGRAM);
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/invest/account/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/home');
  const hero = page.getByRole('region', { name: '내 총자산' });
  await hero.getByText(/\d\d:\d\d 기준/).waitFor();
  expect(await hero.innerText()).toMatch(/[\d,]+원/);
  answer();
  await hero.getByText(/\d\d:\d\d 기준/).waitFor({ state: 'detached' });
  await context.close();
});

test('nothing larger is drawn later on a list: the static page has the largest text', async () => {
  const { context, page } = await openPhone(browser);
  await recordFirstTexts(context);
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await page.route(PROGRAM, async (route) => {
    await begun;
    await route.continue();
  });
  await page.goto('/invest-v2/stock', { waitUntil: 'commit' });
  await eventually('the first picture has its largest text', async () => {
    const { amount, largest } = await textTimesOn(page);
    return amount !== null && largest !== null;
  });
  const { largest } = await textTimesOn(page);
  begin();
  await eventually('the program shows prices', async () => (await textTimesOn(page)).programAmount !== null);
  expect((await textTimesOn(page)).largest).toBe(largest);
  await context.close();
});

/** The page's API calls whose path starts like this. */
const readsOf = (page: Page, beginning: string): Promise<string[]> =>
  page.evaluate(
    (start) =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith(start)),
    beginning,
  );

test('the client does not request the embedded prices again for a visitor', async () => {
  const { context, page } = await openPhone(browser);
  await page.goto('/invest-v2/stock');
  await page.locator('main#main').getByRole('link', { name: /삼성전자/ }).first().waitFor();
  expect(await readsOf(page, '/api/v1/stock/popular/')).toEqual([]);
  await context.close();
});

test('a member’s list is requested again for their hearts', async () => {
  const { context, page } = await openPhone(browser);
  const { memberSid } = await newMemberOn(context);
  const asked = page.waitForResponse((response) => response.url().includes(`/api/v1/stock/popular/member/${String(memberSid)}`));
  await page.goto('/invest-v2/stock');
  await asked;
  await page.locator('main#main').getByRole('link', { name: /삼성전자/ }).first().waitFor();
  // The rows are shown while the reply is still pending.
  await expect.poll(() => readsOf(page, '/api/v1/stock/popular/')).toEqual([`/api/v1/stock/popular/member/${String(memberSid)}`]);
  await context.close();
});
