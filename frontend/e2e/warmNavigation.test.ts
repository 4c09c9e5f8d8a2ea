import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

const TAB_MS = 200;
const DETAIL_MS = 400;
const TIMES = 3;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const processorMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
};

/**
 * The processor time from a tap until its screen is shown, the minimum of several: ticks that arrive while a busy machine
 * delays the page are included.
 */
const costOf = async (session: CDPSession, tap: () => Promise<void>, shown: () => Promise<void>, back: () => Promise<void>): Promise<number> => {
  let least = Infinity;
  for (let time = 0; time < TIMES; time += 1) {
    const before = await processorMs(session);
    await tap();
    await shown();
    least = Math.min(least, (await processorMs(session)) - before);
    await back();
  }
  return least;
};

const money = (page: Page) => page.getByRole('region', { name: '내 총자산' }).getByText(/\d원/).first().waitFor();
const row = (page: Page) => page.getByRole('main').getByRole('link', { name: '삼성전자', exact: true });
// Home may show the same share.
const list = async (page: Page) => {
  await page.getByRole('button', { name: '주식 종목을 입력하세요' }).waitFor();
  await row(page).waitFor();
};

// A visited screen waits for no reply: API replies are held back, and the screens are shown all the same.
test('a visited screen needs no reply, and little processor time', async () => {
  const { context, page } = await openPhone(browser);
  const { memberSid } = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), memberSid);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const tabs = page.getByRole('navigation').filter({ hasText: '마이' });
  const toHome = () => tabs.getByRole('link', { name: '홈' }).tap();
  const toList = () => tabs.getByRole('link', { name: '투자' }).tap();
  const detail = page.getByRole('tablist', { name: '차트 기간' });

  await page.goto('/invest-v2/stock');
  await row(page).tap();
  await detail.waitFor();
  await page.goBack();
  await list(page);
  await toHome();
  await money(page);
  // Pending replies have arrived; later ones never do.
  await page.waitForLoadState('networkidle');
  await page.route('**/api/**', () => undefined);

  const home = async () => {
    await toHome();
    await money(page);
  };
  const popular = async () => {
    await toList();
    await list(page);
  };
  expect(await costOf(session, toList, () => list(page), home)).toBeLessThan(TAB_MS);
  await popular();
  expect(await costOf(session, toHome, () => money(page), popular)).toBeLessThan(TAB_MS);
  const backToList = async () => {
    await page.goBack();
    await list(page);
  };
  expect(await costOf(session, () => row(page).tap(), () => detail.waitFor(), backToList)).toBeLessThan(DETAIL_MS);
  await context.close();
});
