import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Every call of the page to the API whose path begins so, by who began it. */
const readsOf = (page: Page, beginning: string): Promise<string[][]> =>
  page.evaluate(
    (start) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.startsWith(start))
        .map((entry) => [new URL(entry.name).pathname, (entry as PerformanceResourceTiming).initiatorType]),
    beginning,
  );

// The first prices are asked for while the program is still on its way, and are not asked for again by it.
test('a visitor’s first prices are read beside the program, once', async () => {
  const { context, page } = await openPhone(browser);
  await page.goto('/invest-v2/stock');
  await page.getByRole('link', { name: /삼성전자/ }).first().waitFor();
  expect(await readsOf(page, '/api/v1/stock/popular/')).toEqual([['/api/v1/stock/popular/member/0', 'link']]);

  await page.goto('/invest-v2/coin/KRW-BTC');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await readsOf(page, '/api/v1/coin/real/')).toEqual([['/api/v1/coin/real/code/KRW-BTC', 'link']]);
  await context.close();
});

test('a member’s prices are asked for by the program, which knows the session', async () => {
  const { context, page } = await openPhone(browser);
  const { memberSid } = await newMemberOn(context);
  await page.goto('/invest-v2/stock');
  await page.getByRole('link', { name: /삼성전자/ }).first().waitFor();
  expect(await readsOf(page, '/api/v1/stock/popular/')).toEqual([[`/api/v1/stock/popular/member/${String(memberSid)}`, 'fetch']]);
  await context.close();
});
