import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { resetLinkTo } from './support/mail';
import { api, joinByApi, type TestMember } from './support/member';
import { product } from './support/product';
import { keepToken, newMemberOn, signIn } from './support/session';

/** The end of a session is signalled within two seconds; a machine that runs the whole product and a browser gets more. */
const LIMIT_MS = 6_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Listening {
  /** The replies to each token, with their times. */
  answers: { type: string; code?: number; atMs: number }[];
  send: (token: string) => void;
}

const siseLogin = (token: string): Promise<Response> =>
  fetch(`${product.siseOrigin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{}',
  });

const siseTokenOf = async (token: string): Promise<string> => ((await (await siseLogin(token)).json()) as { token: string }).token;

const loginByApi = ({ email, password }: TestMember): Promise<{ accessToken: string }> => api.post('/api/v1/auth/login', { email, password });

/** A socket of its own in the page, with its private channel open. */
const listen = async (page: Page, token: string): Promise<void> => {
  await page.evaluate(async (url) => {
    const socket = new WebSocket(url);
    const answers: Listening['answers'] = [];
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { type?: string; code?: number };
      if (message.type?.startsWith('AUTH') === true) answers.push({ type: message.type, ...(message.code !== undefined && { code: message.code }), atMs: Date.now() });
    };
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    Object.assign(window, { listening: { answers, send: (value: string) => socket.send(JSON.stringify({ type: 'AUTH', token: value })) } });
  }, `${product.siseOrigin.replace(/^http/, 'ws')}/ws2`);
  await say(page, token);
  await expect.poll(() => answersOf(page)).toMatchObject([{ type: 'AUTH_OK' }]);
};

const say = (page: Page, token: string): Promise<void> =>
  page.evaluate((value) => (window as unknown as { listening: Listening }).listening.send(value), token);

const answersOf = (page: Page): Promise<Listening['answers']> =>
  page.evaluate(() => (window as unknown as { listening: Listening }).listening.answers);

/** Measured from the reply that ended the session: password hashing before it runs at low priority. */
const ended = async (page: Page, fromMs: number): Promise<void> => {
  await expect.poll(() => answersOf(page)).toMatchObject([{ type: 'AUTH_OK' }, { type: 'AUTH_ERROR', code: 1205 }]);
  const over = (await answersOf(page)).at(-1);
  expect((over?.atMs ?? Infinity) - fromMs).toBeLessThan(LIMIT_MS);
};

/** Ends sessions, authenticated with `token` or not at all. Returns when it was answered. */
const end = async (path: string, method: string, token: string | null, body: object): Promise<number> => {
  const response = await fetch(`${product.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return Date.now();
};

test('logging out closes the private channel within two seconds, and its token opens no other', async () => {
  const { context, page } = await openPhone(browser);
  const member = await joinByApi();
  await page.goto('/invest-v2/stock');
  const token = await siseTokenOf(member.accessToken);
  await listen(page, token);
  const answeredMs = await end('/api/v1/auth/logout', 'POST', member.accessToken, {});
  await ended(page, answeredMs);

  await say(page, token);
  await expect.poll(async () => (await answersOf(page)).at(2)).toMatchObject({ type: 'AUTH_ERROR', code: 1205 });
  await expect.poll(async () => (await siseLogin(member.accessToken)).status).toBe(401);
  await context.close();
});

test('a changed password closes the channels of all other sessions', async () => {
  const { context, page } = await openPhone(browser);
  const member = await joinByApi();
  const other = await loginByApi(member);
  const mine = await context.newPage();
  await Promise.all([page.goto('/invest-v2/stock'), mine.goto('/invest-v2/stock')]);
  await listen(page, await siseTokenOf(other.accessToken));
  await listen(mine, await siseTokenOf(member.accessToken));
  const answeredMs = await end('/api/v1/auth/password', 'PUT', member.accessToken, {
    memberSid: member.memberSid,
    password: member.password,
    newPassword: `${member.password} 다시`,
  });
  await ended(page, answeredMs);
  expect(await answersOf(mine)).toMatchObject([{ type: 'AUTH_OK' }]);
  await context.close();
});

test('a password reset by mail closes every channel', async () => {
  const { context, page } = await openPhone(browser);
  const member = await joinByApi();
  const other = await loginByApi(member);
  const otherTab = await context.newPage();
  await Promise.all([page.goto('/invest-v2/stock'), otherTab.goto('/invest-v2/stock')]);
  const token = await siseTokenOf(member.accessToken);
  await listen(page, token);
  await listen(otherTab, await siseTokenOf(other.accessToken));
  await end(`/api/v1/auth/password/email/${encodeURIComponent(member.email)}`, 'PUT', null, {});
  const link = new URL(await resetLinkTo(member.email));
  const reset = { token: link.searchParams.get('token'), newPassword: `${member.password} 다시` };
  const answeredMs = await end('/api/v1/auth/password/reset', 'PUT', null, reset);
  await Promise.all([ended(page, answeredMs), ended(otherTab, answeredMs)]);

  await say(page, token);
  await expect.poll(async () => (await answersOf(page)).at(2)).toMatchObject({ type: 'AUTH_ERROR', code: 1205 });
  await context.close();
});

test('a second tab shows nothing of the member after the first logs out', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  const otherTab = await context.newPage();
  await otherTab.goto('/my');
  await otherTab.getByRole('region', { name: '내 총자산' }).waitFor();
  await page.goto('/settings');
  await page.getByRole('button', { name: '로그아웃' }).tap();
  await page.getByRole('dialog', { name: '로그아웃할까요?' }).getByRole('button', { name: '로그아웃' }).tap();
  await otherTab.waitForURL((url) => url.pathname === '/login');
  await expect.poll(() => otherTab.getByRole('region', { name: '내 총자산' }).count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a logout made offline is sent as soon as the connection is back', async () => {
  const { context, page } = await openPhone(browser);
  const { token } = await newMemberOn(context);
  await page.goto('/settings');
  const row = page.getByRole('button', { name: '로그아웃' });
  await row.waitFor();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await row.tap();
  await page.getByRole('dialog', { name: '로그아웃할까요?' }).getByRole('button', { name: '로그아웃' }).tap();
  await page.waitForURL((url) => url.pathname === '/login');
  const refreshCookie = async (): Promise<boolean> => (await context.cookies(`${product.origin}/api/v1/auth`)).some(({ name }) => name.endsWith('refresh_token'));
  expect(await refreshCookie()).toBe(true);

  await context.setOffline(false);
  await expect.poll(refreshCookie).toBe(false);
  // The session has ended, too: its token is rejected.
  await keepToken(context, token);
  await expect.poll(async () => (await siseLogin(token)).status).toBe(401);
  // The page may be loading again, for the login screen that was not here yet: it does not close until that is over.
  await page.getByRole('button', { name: '로그인' }).waitFor();
  await page.waitForLoadState('networkidle');
  await context.close();
});

test('another member on the same phone gets a channel of their own', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const frames: { socket: number; text: string }[] = [];
  let sockets = 0;
  page.on('websocket', (socket) => {
    if (!socket.url().endsWith('/ws2')) return;
    const mine = (sockets += 1);
    socket.on('framesent', ({ payload }) => frames.push({ socket: mine, text: String(payload) }));
  });
  const owners = (): { socket: number; member: number }[] =>
    frames
      .filter(({ text }) => text.includes('"AUTH"'))
      .map(({ socket, text }) => {
        const { token } = JSON.parse(text) as { token: string };
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
        return { socket, member: Number(claims.sub) };
      });
  const first = await newMemberOn(context);
  await page.goto('/my');
  await expect.poll(() => owners().some(({ member }) => member === first.memberSid)).toBe(true);
  const second = await joinByApi();
  // As another tab would.
  await signIn(context, second);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect.poll(() => owners().some(({ member }) => member === second.memberSid)).toBe(true);
  const socketsOf = (member: number): number[] => owners().filter((owner) => owner.member === member).map(({ socket }) => socket);
  expect(socketsOf(second.memberSid).filter((socket) => socketsOf(first.memberSid).includes(socket))).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
});
