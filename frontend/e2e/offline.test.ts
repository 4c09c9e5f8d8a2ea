import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { eventually } from './support/processes';
import { priceMoves } from './support/screen';
import { newMemberOn } from './support/session';

const BANNER = /인터넷 연결이 끊겼어요\. 마지막으로 불러온 내용을 보여드려요\. \d\d:\d\d 기준/;

/** How long a screen may take to recover once the network is back. */
const BACK_WITHIN_MS = 2_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Waits until data of these kinds is stored. */
const areKept = (page: Page, kinds: readonly string[]): Promise<void> =>
  eventually(`${kinds.join(', ')} are kept`, () =>
    page.evaluate((names) => names.every((name) => (localStorage.getItem('last-known') ?? '').includes(`"${name}"`)), kinds), 60_000);

/** Waits until the screens worth opening offline are preloaded. */
const isPrepared = (page: Page): Promise<void> =>
  eventually('the screens are at hand', () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      if (registration?.active?.state !== 'activated') return false;
      const files = await (await caches.open('files-v1')).keys();
      const kept = files.map(({ url }) => new URL(url).pathname);
      const needed = [/\/main\./, /\/fw\./, /\/route-home\./, /\/route-my\./, /\/route-detail\./];
      return needed.every((file) => kept.some((path) => file.test(path)));
    }), 60_000);

// J31, with the installed worker: offline the app opens with its last known data.
test('offline the app opens with its last known data, orders nothing, and recovers when connected', async () => {
  const { context, page } = await openPhone(browser, { serviceWorkers: 'allow' });
  const session = await newMemberOn(context);
  const { orderSid } = await buyByApi(session, { code: '005930', qty: 2 });
  await eventually('the shares are bought', async () => (await orderOf(session, orderSid)).order.status === 'FILLED');
  await page.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), session.memberSid);
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('region', { name: '내 보유' }).waitFor();
  await areKept(page, ['quote']);
  await page.goto('/home');
  const hero = page.getByRole('region', { name: '내 총자산' });
  await hero.getByText(/[\d,]{5,}원/).first().waitFor();
  const holdings = page.getByRole('region', { name: '보유 종목' });
  await holdings.getByRole('link', { name: /삼성전자/ }).waitFor();
  await areKept(page, ['assets', 'holdings', 'quote']);
  await isPrepared(page);

  const live = page.getByText('실시간', { exact: true });
  await live.waitFor({ timeout: 60_000 });
  await context.setOffline(true);
  await page.getByText(BANNER).waitFor();
  expect(await live.count()).toBe(0);
  await page.reload();
  await page.getByText(BANNER).waitFor();
  await hero.getByText(/[\d,]{5,}원/).first().waitFor();
  await holdings.getByRole('link', { name: /삼성전자/ }).waitFor();
  await expectAccessible(page);

  await holdings.getByRole('link', { name: /삼성전자/ }).tap();
  await page.getByRole('region', { name: '내 보유' }).waitFor();
  const buy = page.getByRole('button', { name: '구매하기' });
  expect(await buy.getAttribute('aria-disabled')).toBe('true');
  await page.getByText('연결되면 할 수 있어요').waitFor();
  // A screen that was never opened has no data and says so.
  await page.goto('/market-trend');
  await page.getByText('인터넷 연결을 확인해주세요').first().waitFor();
  // It opens by itself within two seconds of the network.
  await context.setOffline(false);
  await page.getByText('인터넷 연결을 확인해주세요').first().waitFor({ state: 'hidden', timeout: BACK_WITHIN_MS });
  await context.setOffline(true);
  await page.getByText(BANNER).waitFor();
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('region', { name: '내 보유' }).waitFor();

  await context.setOffline(false);
  await page.getByText('다시 연결했어요').first().waitFor();
  await page.getByText(BANNER).waitFor({ state: 'hidden' });
  await live.first().waitFor({ timeout: BACK_WITHIN_MS });
  // The message is removed with its frame: an empty popover would remain as a box in the middle.
  await page.getByText('다시 연결했어요').first().waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate(() => document.querySelectorAll(':popover-open').length)).toBe(0);
  await priceMoves(page.getByRole('main').locator('section').first());
  await buy.tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자 구매' }).waitFor();
  await context.close();
});
