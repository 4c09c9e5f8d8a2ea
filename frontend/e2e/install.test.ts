import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

const THREE_DAYS_MS = 259_200_000;
/** Longer than the three idle seconds before the offer. */
const WOULD_HAVE_COME_MS = 8_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const offerIn = (page: Page): Locator => page.getByRole('alertdialog', { name: '금융 소식, 앱에서 가장 먼저 만나요' });

/** Opens the holdings of a member who has traded. */
const tradedMemberOn = async (context: BrowserContext): Promise<void> => {
  const session = await newMemberOn(context);
  const { orderSid } = await buyByApi(session, { code: 'KRW-BTC', qty: 0.001 });
  await eventually('the coin is bought', async () => (await orderOf(session, orderSid)).order.status === 'FILLED');
};

/** A new tab is a new browser session. */
const openHoldings = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/my/holdings');
  await page.getByRole('main').getByRole('link', { name: '비트코인' }).waitFor();
  return page;
};

const changeStorage = (page: Page, key: string, change: { by: number } | { to: string }): Promise<void> =>
  page.evaluate(
    ([name, edit]) => {
      localStorage.setItem(name, 'to' in edit ? edit.to : String(Number(localStorage.getItem(name)) + edit.by));
    },
    [key, change] as const,
  );

// J30: the app is offered to members who trade, once, when idle.
test('the install offer cannot be dismissed, is answered once, and returns after three days or with a new version', async () => {
  const { context, pageErrors } = await openPhone(browser, { offersApp: true });
  await tradedMemberOn(context);
  const first = await openHoldings(context);
  await offerIn(first).waitFor();
  await expectAccessible(first);
  for (let times = 0; times < 3; times += 1) await first.keyboard.press('Escape');
  await first.mouse.click(4, 4);
  await offerIn(first).waitFor();
  expect(await first.evaluate(() => document.querySelectorAll('dialog[open]').length)).toBe(1);
  await offerIn(first).getByRole('button', { name: '웹으로 할게요' }).tap();
  await offerIn(first).waitFor({ state: 'hidden' });

  // There is no offer in the same session, in the next one, or in a native app; all three wait at the same time.
  const shell = await openPhone(browser, { offersApp: true, userAgent: 'Mozilla/5.0 InvestApp/android/1.0' });
  await shell.context.addInitScript(() => Object.assign(window, { AppBridge: { postMessage: () => undefined } }));
  await tradedMemberOn(shell.context);
  const inShell = await openHoldings(shell.context);
  const second = await openHoldings(context);
  await second.waitForTimeout(WOULD_HAVE_COME_MS);
  for (const page of [first, second, inShell]) expect(await offerIn(page).count()).toBe(0);
  await shell.context.close();

  await changeStorage(second, 'app-install-web-at', { by: -THREE_DAYS_MS });
  const third = await openHoldings(context);
  await offerIn(third).waitFor();
  await offerIn(third).getByRole('button', { name: '앱설치 후 보러가기' }).tap();
  await third.getByRole('heading', { name: '홈 화면에 추가해주세요' }).waitFor();
  await third.getByRole('button', { name: '확인' }).tap();
  await third.getByRole('alertdialog').waitFor({ state: 'hidden' });

  // A choice for another version of the offer does not count.
  await changeStorage(third, 'app-install-web-at', { to: String(Date.now()) });
  await changeStorage(third, 'app-install-version', { to: 'v0' });
  const fourth = await openHoldings(context);
  await offerIn(fourth).waitFor();
  expect(await fourth.evaluate(() => localStorage.getItem('app-install-version'))).toBe('v1');
  expect(pageErrors).toEqual([]);
  await context.close();
});
