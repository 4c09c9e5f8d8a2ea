import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountsOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { press } from './support/mainJob';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Reads what accounts are for, which a new member is told before the first transfer. */
const readIntroduction = async (page: Page): Promise<void> => {
  const introduction = page.getByRole('dialog', { name: '계좌를 나눠서 연습해보세요' });
  const understood = introduction.getByRole('button', { name: '알겠어요' });
  await expect.poll(() => understood.getAttribute('aria-disabled')).toBe(null);
  await understood.tap();
  await introduction.waitFor({ state: 'hidden' });
};

// J20: from choosing the accounts to both balances, with an answer that is lost on the way.
test.each([
  ['light', false],
  ['dark', true],
])('cash moves to a new account once, although the reply to it was lost, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);

  await page.goto('/my/account');
  await page.getByRole('main').getByRole('link', { name: '이체', exact: true }).tap();
  await page.getByText('최대 5,000,000원까지 옮길 수 있어요').waitFor();
  await readIntroduction(page);
  await page.getByRole('button', { name: '최대' }).tap();
  await page.getByRole('button', { name: '+1만' }).tap();
  await page.getByRole('alert').filter({ hasText: '보낼 수 있는 금액보다 많아요' }).waitFor();
  await expectAccessible(page);
  for (let digits = 0; digits < 7; digits += 1) await page.getByRole('button', { name: '한 글자 지우기' }).tap();
  await press(page, '70000');
  await page.getByRole('button', { name: '옮기기' }).tap();
  await page.getByRole('dialog', { name: '어디로 옮길까요?' }).getByRole('button', { name: /^주식 계좌/ }).tap();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const sent: string[] = [];
  let isLost = true;
  await page.route('**/api/v1/invest/transfer', async (route) => {
    sent.push(route.request().postData() ?? '');
    // The server acts, and its reply never arrives.
    const response = await route.fetch();
    if (isLost) await route.abort();
    else await route.fulfill({ response });
    isLost = false;
  });
  await page.getByRole('button', { name: '옮기기' }).tap();
  const confirmation = page.getByRole('dialog', { name: '기본 계좌에서 주식 계좌로 70,000원을 옮길까요?' });
  await confirmation.getByText('주식 계좌를 새로 열고 옮겨요.').waitFor();
  await expectAccessible(page);
  const confirm = confirmation.getByRole('button', { name: '옮기기' });
  await expect.poll(() => confirm.getAttribute('aria-disabled')).toBe(null);
  await confirm.tap();
  const unknown = page.getByRole('alertdialog', { name: '처리됐는지 확인하지 못했어요' });
  const again = unknown.getByRole('button', { name: '다시 시도' });
  await expect.poll(() => again.getAttribute('aria-disabled')).toBe(null);
  await again.tap();
  await page.getByRole('heading', { level: 1, name: '70,000원을 옮겼어요' }).waitFor();
  await page.getByText('4,930,000원').waitFor();
  await expectAccessible(page);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBe(sent[1]);

  const seeHistory = page.getByRole('button', { name: '내역 보기' });
  await expect.poll(() => seeHistory.getAttribute('aria-disabled')).toBe(null);
  await seeHistory.tap();
  await page.getByText('기본 계좌 → 주식 계좌').waitFor();
  expect(await page.getByText('기본 계좌 → 주식 계좌').count()).toBe(1);
  await expectAccessible(page);
  await eventually('both balances are right', async () => {
    const deposits = (await accountsOf(session)).map(({ deposit }) => deposit);
    return deposits.toSorted((a, b) => a - b).join() === '70000,4930000';
  });
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('offline nothing is sent, then or later', async () => {
  const { context, page } = await openPhone(browser);
  await newMemberOn(context);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/invest/transfer')) sent.push(request.url());
  });
  await page.goto('/my/transfer?to=01');
  await page.getByText('최대 5,000,000원까지 옮길 수 있어요').waitFor();
  await readIntroduction(page);
  await press(page, '100');
  await context.setOffline(true);
  await page.getByText('연결되면 할 수 있어요').waitFor();
  const cta = page.getByRole('button', { name: '옮기기' });
  expect(await cta.getAttribute('aria-disabled')).toBe('true');
  await cta.tap({ force: true });
  await context.setOffline(false);
  await page.getByText('연결되면 할 수 있어요').waitFor({ state: 'hidden' });
  expect(sent).toEqual([]);
  await context.close();
});
