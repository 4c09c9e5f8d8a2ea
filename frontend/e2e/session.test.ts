import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sessionOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone, type Phone } from './support/browser';
import { joinByApi } from './support/member';
import { expiredTwinOf, keepToken, newMemberOn, visit } from './support/session';
import { fillIn } from './support/screen';

const REFRESH = '/api/v1/auth/refresh-refresh-token';
const MONEY = /\/api\/v1\/(invest\/account|stock\/member|coin\/member)\//;
const TEN_DAYS_S = 864_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const signedOut = async (page: Page): Promise<void> => {
  // The message is removed by itself.
  await Promise.all([
    page.waitForURL((url) => url.pathname === '/login'),
    page.getByText('로그인한 지 오래돼서 다시 로그인해주세요').waitFor(),
  ]);
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names).not.toContain('access_token');
  expect(names).not.toContain('memberSid');
};

const backDoesNotReturnTo = async (page: Page, privatePath: string): Promise<void> => {
  await page.goBack();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).not.toBe(privatePath);
};

test('a visitor who wants to buy logs in after a wrong password, and returns to the stock', async () => {
  const member = await joinByApi();
  const { context, page, pageErrors } = await openPhone(browser);
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('button', { name: '구매하기' }).tap();
  const prompt = page.getByRole('dialog', { name: '로그인하면 쓸 수 있어요' });
  await expectAccessible(page);
  await prompt.getByRole('button', { name: '로그인하기' }).tap();
  await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === '/invest-v2/stock/005930');
  // The page behind a closing dialog cannot be typed into yet.
  await prompt.waitFor({ state: 'hidden' });

  const password = page.getByLabel('비밀번호', { exact: true });
  await fillIn(page.getByLabel('이메일'), member.email);
  await fillIn(password, 'not the password at all');
  await page.getByRole('button', { name: '로그인', exact: true }).tap();
  await page.getByText('이메일이나 비밀번호가 맞지 않아요. 다시 확인해주세요.').waitFor();
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true);
  await expectAccessible(page);

  await fillIn(password, member.password);
  await page.getByRole('button', { name: '로그인', exact: true }).tap();
  await page.waitForURL((url) => url.pathname === '/invest-v2/stock/005930');
  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자 구매' }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

interface FourTabs extends Phone {
  token: string;
  tabs: Page[];
  refreshes: string[];
  /** The replies about the member's money. */
  answers: Response[];
  /** Makes every tab refetch the money, as becoming visible does: twelve requests. */
  refetchAll: () => Promise<void>;
}

const openFourTabs = async (): Promise<FourTabs> => {
  const phone = await openPhone(browser);
  const { context, page } = phone;
  const { token } = await newMemberOn(context);
  const tabs = [page, ...(await Promise.all([1, 2, 3].map(() => context.newPage())))];
  for (const tab of tabs) {
    await visit(tab, '/my');
    await tab.getByRole('region', { name: '내 총자산' }).waitFor();
    await tab.waitForLoadState('networkidle');
  }
  const refreshes: string[] = [];
  const answers: Response[] = [];
  context.on('request', (request) => {
    if (request.url().includes(REFRESH)) refreshes.push(request.method());
  });
  context.on('response', (response) => {
    if (MONEY.test(response.url())) answers.push(response);
  });
  const refetchAll = async (): Promise<void> => {
    await Promise.all(tabs.map((tab) => tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))));
  };
  return { ...phone, token, tabs, refreshes, answers, refetchAll };
};

const areAnswered = (answers: Response[], status: number): Promise<void> =>
  expect.poll(() => answers.filter((answer) => answer.status() === status).length).toBe(12);

const renewedFrom = async ({ context, token, tabs }: FourTabs): Promise<void> => {
  const renewed = (await context.cookies()).find(({ name }) => name === 'access_token');
  expect(renewed?.value).not.toBe(token);
  const lifetimeS = (renewed?.expires ?? 0) - Date.now() / 1000;
  expect(lifetimeS).toBeGreaterThan(TEN_DAYS_S - 120);
  expect(lifetimeS).toBeLessThanOrEqual(TEN_DAYS_S + 5);
  for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe('/my');
};

test('an expired token is refreshed once for four tabs, and nothing is sent with it', async () => {
  const phone = await openFourTabs();
  const expired = expiredTwinOf(phone.token);
  const sent: (string | undefined)[] = [];
  phone.context.on('request', (request) => sent.push(request.headers().authorization));
  await keepToken(phone.context, expired);
  await phone.refetchAll();
  await areAnswered(phone.answers, 200);
  expect(phone.answers).toHaveLength(12);
  expect(sent).not.toContain(`Bearer ${expired}`);
  expect(phone.refreshes).toEqual(['POST']);
  await renewedFrom(phone);
  expect(phone.pageErrors).toEqual([]);
  await phone.context.close();
});

test('twelve requests that meet an expired token in four tabs refresh once and are all sent again', async () => {
  const phone = await openFourTabs();
  const { context, token, refreshes, answers } = phone;
  const expired = expiredTwinOf(token);
  // No tab knows that the token has expired: all twelve requests are held, and their token is replaced by the expired one.
  let arrived = 0;
  let open: () => void = () => undefined;
  const twelve = new Promise<void>((resolve) => {
    open = resolve;
  });
  await context.route(MONEY, async (route) => {
    arrived += 1;
    if (arrived === 12) open();
    await twelve;
    const headers = route.request().headers();
    await route.continue({ headers: headers.authorization === `Bearer ${token}` ? { ...headers, authorization: `Bearer ${expired}` } : headers });
  });
  await phone.refetchAll();

  await areAnswered(answers, 200);
  const rejected = answers.filter((answer) => answer.status() === 401);
  expect(rejected).toHaveLength(12);
  for (const answer of rejected) {
    expect(await answer.json()).toMatchObject({ code: 1203, reason: 'Authentication is expired' });
  }
  expect(refreshes).toEqual(['POST']);
  await renewedFrom(phone);
  expect(phone.pageErrors).toEqual([]);
  await context.close();
});

test('a foreign token ends the session, and back does not return to the private page', async () => {
  const { context, page } = await openPhone(browser);
  const { token } = await newMemberOn(context);
  await visit(page, '/invest-v2/stock');
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  await page.getByRole('navigation', { name: '주요 메뉴' }).getByRole('link', { name: '마이' }).tap();
  await page.getByRole('region', { name: '내 총자산' }).waitFor();

  await keepToken(context, `${token.slice(0, -8)}AAAAAAAA`);
  await page.getByRole('link', { name: '보유 종목' }).tap();
  await signedOut(page);
  await expectAccessible(page);
  await backDoesNotReturnTo(page, '/my/holdings');
  await context.close();
});

test('a session whose refresh token has expired ends the same way', async () => {
  const { context, page } = await openPhone(browser);
  const { token } = await newMemberOn(context);
  await visit(page, '/invest-v2/stock');
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  // Ten days cannot be waited for here.
  await context.route(`**${REFRESH}`, (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 1203, reason: 'Expired', message: '다시 로그인해주세요.', traceId: '0'.repeat(32) }),
    }),
  );
  await keepToken(context, expiredTwinOf(token));
  await page.getByRole('navigation', { name: '주요 메뉴' }).getByRole('link', { name: '마이' }).tap();
  await signedOut(page);
  await backDoesNotReturnTo(page, '/my');
  await context.close();
});

test('after logging out private pages redirect to the login', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/settings');
  await page.getByRole('button', { name: '로그아웃' }).tap();
  await page.getByRole('dialog', { name: '로그아웃할까요?' }).getByRole('button', { name: '로그아웃' }).tap();
  await page.waitForURL((url) => url.pathname === '/login');
  await expect(sessionOf(page)).rejects.toThrow('no session');
  // The login keeps nothing of the previous location.
  await page.getByLabel('이메일').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.goto('/my/holdings');
  await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('next') === '/my/holdings');
  expect(pageErrors).toEqual([]);
  await context.close();
});
