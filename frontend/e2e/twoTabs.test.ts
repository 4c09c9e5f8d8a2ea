import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi } from './support/books';
import { launchBrowser, openPhone } from './support/browser';
import { cancelWaiting } from './support/mainJob';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Far less than the ten seconds of polling. */
const SEEN_WITHIN_MS = 3_000;

test('money reserved by an order in one tab is free in the other as soon as it is canceled', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), session.memberSid);
  // Far below the market; coins have no daily limits.
  await buyByApi(session, { code: 'KRW-BTC', qty: 0.001, price: 50_000_000 });
  const other = await context.newPage();
  await other.goto('/my/account');
  const held = other.getByText('주문에 묶어둔 돈');
  await held.waitFor();
  // Both tabs have loaded their background services.
  await other.waitForLoadState('networkidle');
  await page.goto('/my/orders/wait');
  await page.waitForLoadState('networkidle');
  await page.getByRole('tab', { name: '코인 1', exact: true }).tap();
  await cancelWaiting(page, '비트코인', '구매');
  await held.waitFor({ state: 'hidden', timeout: SEEN_WITHIN_MS });
  expect(pageErrors).toEqual([]);
  await context.close();
});
