import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { resetLinkTo } from './support/mail';
import { joinByApi } from './support/member';
import { product } from './support/product';
import { fillIn } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a forgotten password is reset by a mailed link, once', async () => {
  const member = await joinByApi();
  const { context, page, pageErrors } = await openPhone(browser);
  await page.clock.install();
  await page.goto('/login');
  await page.getByRole('link', { name: '비밀번호를 잊었어요' }).tap();
  // The screen being left has a field of the same name.
  await page.getByRole('heading', { name: '가입한 이메일을 알려주세요' }).waitFor();
  await fillIn(page.getByLabel('이메일'), member.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: '메일 받기' }).tap();
  await page.getByText('메일을 보냈어요').waitFor();
  const again = page.getByRole('button', { name: /^다시 보내기/ });
  expect(await again.innerText()).toMatch(/^다시 보내기 \(\d+초\)$/);
  await page.clock.fastForward(61_000);
  await expect.poll(() => again.innerText()).toBe('다시 보내기');
  await expectAccessible(page);
  // Only the client's minute has passed, not the server's, so nothing is requested again.
  const askings: string[] = [];
  await context.route('**/api/v1/auth/password/email/*', async (route) => {
    askings.push(`${route.request().method()} ${decodeURIComponent(route.request().url())}`);
    await route.fulfill({ status: 204 });
  });
  await again.tap();
  await expect.poll(() => again.innerText()).toMatch(/^다시 보내기 \(\d+초\)$/);
  expect(askings).toEqual([`PUT ${product.origin}/api/v1/auth/password/email/${member.email}`]);

  const link = await resetLinkTo(member.email);
  expect(link.startsWith(product.origin)).toBe(true);
  await page.goto(link);
  const fresh = `${member.password} 그리고 봄`;
  await fillIn(page.getByLabel('새 비밀번호', { exact: true }), fresh);
  await fillIn(page.getByLabel('새 비밀번호 다시 입력', { exact: true }), fresh);
  await expectAccessible(page);
  await page.getByRole('button', { name: '비밀번호 바꾸기' }).tap();
  await page.getByText('비밀번호를 바꿨어요').first().waitFor();
  await page.waitForURL((url) => url.pathname === '/login');
  await expectAccessible(page);
  await page.goBack();
  expect(new URL(page.url()).pathname).not.toBe('/password/new');

  await page.goto(link);
  await fillIn(page.getByLabel('새 비밀번호', { exact: true }), `${fresh} 여름`);
  await fillIn(page.getByLabel('새 비밀번호 다시 입력', { exact: true }), `${fresh} 여름`);
  await page.getByRole('button', { name: '비밀번호 바꾸기' }).tap();
  await page.getByText('링크를 더 이상 쓸 수 없어요').first().waitFor();

  await page.goto('/login');
  await fillIn(page.getByLabel('이메일'), member.email);
  await fillIn(page.getByLabel('비밀번호', { exact: true }), member.password);
  await page.getByRole('button', { name: '로그인', exact: true }).tap();
  await page.getByText('이메일이나 비밀번호가 맞지 않아요').waitFor();
  await fillIn(page.getByLabel('비밀번호', { exact: true }), fresh);
  await page.getByRole('button', { name: '로그인', exact: true }).tap();
  await page.waitForURL((url) => url.pathname !== '/login');
  expect(pageErrors).toEqual([]);
  await context.close();
}, 90_000);
