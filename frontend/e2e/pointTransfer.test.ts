import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { press } from './support/mainJob';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test.each([
  ['light', false],
  ['dark', true],
])('a member without points is told so, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  await newMemberOn(context);
  await page.goto('/my');
  await page.getByRole('main').getByRole('link', { name: /^포인트 이전/ }).tap();
  await page.getByText('아직 포인트가 없어요').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: '포인트 내역' }).tap();
  await page.getByText('아직 포인트 내역이 없어요').waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});

// J21, the failure: the phone shows points that are spent by now, and the server refuses in the given sentence.
test('points that are gone by now are refused, and nothing is moved', async () => {
  const { context, page } = await openPhone(browser);
  await newMemberOn(context);
  await page.route('**/api/v1/member/education-point?*', async (route) => {
    const response = await route.fetch();
    const points = (await response.json()) as Record<string, unknown>;
    await route.fulfill({ response, json: { ...points, educationPoint: 30 } });
  });
  await page.goto('/my/point-transfer');
  await page.getByText('최대 30P까지 옮길 수 있어요').waitFor();
  await press(page, '20');
  await page.getByText('계좌에 20,000원이 들어와요').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: '계좌로 옮기기' }).tap();
  const confirm = page.getByRole('dialog', { name: '20P를 계좌로 옮길까요?' }).getByRole('button', { name: '계좌로 옮기기' });
  await expect.poll(() => confirm.getAttribute('aria-disabled')).toBe(null);
  await expectAccessible(page);
  await confirm.tap();
  const failure = page.getByRole('alertdialog', { name: '포인트를 옮기지 못했어요' });
  await failure.getByText('학습포인트 이전에 실패했습니다: 잔액 부족', { exact: true }).waitFor();
  await expectAccessible(page);
  await failure.getByRole('button', { name: '확인' }).tap();
  await failure.waitFor({ state: 'hidden' });
  // Closing goes back in the history, which would abort a navigation.
  await page.waitForTimeout(300);
  await page.goto('/my/account');
  await page.getByRole('region', { name: '기본 계좌' }).getByText('5,000,000원').first().waitFor();
  await context.close();
});
