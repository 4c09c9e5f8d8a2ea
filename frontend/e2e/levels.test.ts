import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Account } from './support/books';
import { launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The lower bound of each level; the last is open. */
const LEVELS = [
  ['빈털터리', 0],
  ['빈곤층', 10_000_000],
  ['빠듯한중산층', 30_000_000],
  ['중산층', 70_000_000],
  ['상류층', 500_000_000],
  ['자산가', 3_000_000_000],
  ['1천억재벌', 10_000_000_000],
  ['억만장자', 100_000_000_000],
  ['슈퍼리치', 1_000_000_000_000],
] as const;

// J28, as far as a member sees it. No test earns that much, so the reply is changed on its way.
test('the total at each of the nine boundaries shows the level that starts there, and its gauge', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  let total = 0;
  await context.route('**/api/v1/invest/account/*', async (route) => {
    const response = await route.fetch();
    const account = (await response.json()) as Account;
    const [first, ...others] = account.accounts;
    await route.fulfill({ response, json: { ...account, total, accounts: [{ ...first, deposit: total }, ...others] } });
  });
  for (const [index, [name, least]] of LEVELS.entries()) {
    total = least;
    if (index === 0) await page.goto('/my');
    // A page that becomes visible refetches the money.
    else await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    const gauge = page.getByRole('region', { name, exact: true }).getByRole('meter');
    await expect.poll(() => gauge.getAttribute('aria-valuenow')).toBe(index === LEVELS.length - 1 ? '100' : '0');
  }
  expect(pageErrors).toEqual([]);
  await context.close();
});
