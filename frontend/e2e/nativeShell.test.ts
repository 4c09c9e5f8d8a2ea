import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type NativeShell, openNativeShell } from '../shell/server.ts';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { product } from './support/product';
import { newMemberOn } from './support/session';
import { fillIn } from './support/screen';

let browser: Browser;
let shell: NativeShell;
beforeAll(async () => {
  browser = await launchBrowser();
  shell = await openNativeShell(product.origin);
});
afterAll(async () => {
  await browser.close();
  await shell.close();
});

const POLL = /\/real\/code\//;

/** Opens the client in the shell of the panel. */
const openClient = async (panel: Page, app: { lateMs?: string; transport?: string; refuses?: string; path: string }): Promise<Page> => {
  const start = panel.locator('#start');
  for (const [name, value] of Object.entries(app)) {
    const control = start.locator(`[name="${name}"]`);
    if ((await control.evaluate((element) => element.tagName)) === 'SELECT') await control.selectOption(value);
    else await fillIn(control, value);
  }
  const opened = panel.context().waitForEvent('page');
  await start.getByRole('button', { name: 'Open' }).click();
  return opened;
};

const said = (panel: Page, from: 'client' | 'shell', text: string) =>
  panel.locator(`#log li[data-from="${from}"]`, { hasText: text }).first().waitFor();

// J09: the messages between the client and the native app.
test('the client and the native app exchange messages', async () => {
  const { context, page: panel, pageErrors } = await openPhone(browser);
  const { memberSid } = await newMemberOn(context);
  await panel.goto(`${shell.origin}/__shell/`);
  const client = await openClient(panel, { transport: 'ReactNativeWebView', path: '/invest-v2/stock/005930' });
  await client.getByRole('heading', { name: '삼성전자' }).waitFor();
  await said(panel, 'client', 'ready ');
  await said(panel, 'client', `login {"memberSid":${memberSid}}`);

  await client.getByRole('button', { name: '삼성전자 공유하기' }).tap();
  await said(panel, 'client', `share {"title":"삼성전자","url":"${shell.origin}/invest-v2/stock/005930"}`);
  await said(panel, 'shell', 'reply {"ok":true}');

  await fillIn(panel.locator('#say [name="path"]'), '/invest-v2/coin');
  await panel.getByRole('button', { name: 'deepLink' }).click();
  await client.waitForURL('**/invest-v2/coin');
  await said(panel, 'client', 'backState {"canGoBack":true,"overlay":false}');
  await panel.getByRole('button', { name: 'back', exact: true }).click();
  await client.waitForURL('**/invest-v2/stock/005930');

  await panel.getByRole('button', { name: 'large text' }).click();
  await expect.poll(() => client.evaluate(() => document.documentElement.style.fontSize)).toBe('160%');
  await client.getByText('실시간', { exact: true }).first().waitFor();
  await expectAccessible(client);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('live prices start with a late bridge, and are polled without one', async () => {
  const { context, page: panel } = await openPhone(browser);
  await panel.goto(`${shell.origin}/__shell/`);
  const late = await openClient(panel, { lateMs: '600', path: '/invest-v2/stock' });
  await late.getByText('실시간', { exact: true }).waitFor();
  await said(panel, 'client', 'ready ');
  await late.close();

  const sockets: string[] = [];
  context.on('page', (opened) => opened.on('websocket', (socket) => sockets.push(socket.url())));
  const never = await openClient(panel, { lateMs: '-1', path: '/invest-v2/stock' });
  await never.getByRole('main').getByRole('listitem').first().waitFor();
  await never.waitForRequest((request) => POLL.test(request.url()), { timeout: 60_000 });
  expect(sockets).toEqual([]);
  await context.close();
});
