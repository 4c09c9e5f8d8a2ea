import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const POPULAR = '**/api/v1/stock/popular/member/*';
const US_LIST = '**/api/v1/stock/list?*';

const likedCodes = async ({ memberSid, token }: { memberSid: number; token: string }): Promise<string[]> => {
  const items = await api.get<{ isuSrtCd: string }[]>(`/api/v1/stock/member/${String(memberSid)}/stock-like`, token);
  return items.map(({ isuSrtCd }) => isuSrtCd);
};

test('a heart flips at once, persists, is listed, and is restored by undo', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  // Until a list that is not embedded arrives, its rows are skeletons.
  let release: () => void = () => undefined;
  const isSeen = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(US_LIST, async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.goto('/invest-v2/stock?tab=us');
  await page.locator('main [aria-busy="true"]').waitFor();
  expect(await page.getByRole('main').getByRole('listitem').count()).toBe(0);
  release();
  await page.getByRole('main').getByRole('listitem').first().waitFor();

  await page.goto('/invest-v2/stock');
  await page.getByRole('button', { name: '삼성전자 관심 종목에 추가' }).waitFor();

  // The heart does not wait for the server, whose state is refetched afterwards.
  let answer: () => void = () => undefined;
  const isFlipped = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await context.route('**/api/v1/member/stock-like', async (route) => {
    await isFlipped;
    await route.continue();
  });
  const refetched = page.waitForResponse(POPULAR);
  await page.getByRole('button', { name: '삼성전자 관심 종목에 추가' }).tap();
  await page.getByRole('button', { name: '삼성전자 관심 종목에서 빼기' }).waitFor();
  answer();
  expect((await refetched).status()).toBe(200);
  await eventually('the like is stored', async () => (await likedCodes(session)).includes('005930'));

  await page.goto('/my/likes');
  await page.getByRole('link', { name: '삼성전자', exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: '삼성전자 관심 종목에서 빼기' }).tap();
  await page.getByText('관심 종목에서 뺐어요').waitFor();
  await page.getByRole('button', { name: '취소', exact: true }).tap();
  await page.getByRole('link', { name: '삼성전자', exact: true }).waitFor();
  await eventually('the like is stored again', async () => (await likedCodes(session)).includes('005930'));
  expect(pageErrors).toEqual([]);
  await context.close();
}, 90_000);

test('a heart that cannot be stored flips back', async () => {
  const { context, page } = await openPhone(browser);
  const session = await newMemberOn(context);
  await context.route('**/api/v1/member/stock-like', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.goto('/invest-v2/stock?tab=kospi');
  const heart = page.getByRole('button', { name: /^삼성전자 관심 종목/ });
  await heart.tap();
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false');
  await page.getByText('관심 종목을 바꾸지 못했어요').waitFor();
  expect(await likedCodes(session)).toEqual([]);
  await context.close();
}, 60_000);

test('a visitor’s tap on a heart sends nothing', async () => {
  const { context, page } = await openPhone(browser);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url());
  });
  await page.goto('/invest-v2/stock?tab=kospi');
  const heart = page.getByRole('button', { name: /^삼성전자 관심 종목/ });
  await heart.tap();
  await page.waitForTimeout(1_000);
  expect(await heart.getAttribute('aria-pressed')).toBe('false');
  expect(sent).toEqual([]);
  await context.close();
}, 60_000);
