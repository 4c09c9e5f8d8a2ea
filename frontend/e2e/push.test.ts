import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchWholeBrowser, openPhone } from './support/browser';
import { eventually } from './support/processes';
import { product } from './support/product';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchWholeBrowser();
});
afterAll(() => browser.close());

/** Hands the worker what a browser has decrypted. */
const deliver = async (context: BrowserContext, page: Page): Promise<(push: object) => Promise<void>> => {
  const devtools = await context.newCDPSession(page);
  const known = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await known;
  return async (push) => {
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: product.origin, registrationId, data: JSON.stringify(push) });
  };
};

const shown = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return ((await registration?.getNotifications()) ?? []).map(({ title, tag }) => `${tag} ${title}`);
  });

test('a push is shown once, a newer one replaces it, and its address is the screen alone', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { serviceWorkers: 'allow' });
  await context.grantPermissions(['notifications'], { origin: product.origin });
  await newMemberOn(context);
  await page.goto('/home');
  await eventually('the worker is active', () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated'), 60_000);
  const push = await deliver(context, page);
  const told = { id: '1', title: '체결됐어요', body: '삼성전자 3주를 샀어요', link: '/my/holdings', tag: 'order', type: 'FILL', sid: '1' };
  await push(told);
  await eventually('the push is shown', async () => (await shown(page)).length === 1);
  await push(told);
  await push({ ...told, id: '2', title: '모두 체결됐어요' });
  await push({ ...told, id: '3', title: '새 댓글이 달렸어요', tag: 'comment' });
  await eventually('the others are shown', async () => (await shown(page)).length === 2);
  expect((await shown(page)).sort()).toEqual(['comment 새 댓글이 달렸어요', 'order 모두 체결됐어요']);

  // Where a tap leads without an open window.
  await page.goto('/my/holdings?notification=1');
  await page.waitForURL((url) => url.pathname === '/my/holdings' && url.search === '', { timeout: 60_000 });
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('the installation gives browsers its key', async () => {
  const answer = await fetch(`${product.origin}/api/v1/notification/push-key`);
  const { publicKey } = (await answer.json()) as { publicKey: string };
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
});
