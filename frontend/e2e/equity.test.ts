import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test.each([
  ['light', false],
  ['dark', true],
])('a new member is told when the equity will be drawn, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  await newMemberOn(context);
  await page.goto('/my/profit-loss');
  const equity = page.getByRole('region', { name: '자산 변화' });
  await equity.getByText('내일부터 자산 변화를 그려 드려요').waitFor();
  await expectAccessible(page);
  // It is of all assets together.
  await page.getByRole('button', { name: '코인' }).tap();
  await equity.waitFor({ state: 'detached' });

  await page.goto('/home');
  await page.getByRole('region', { name: '시장 동향' }).getByRole('link').first().waitFor();
  expect(await equity.count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});
