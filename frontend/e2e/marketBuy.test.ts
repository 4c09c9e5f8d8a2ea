import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, holdingsOf, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { confirmOrder, press } from './support/mainJob';
import { api } from './support/member';
import { digitsOf } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('too much shakes and shows the maximum, 최대 takes it, and a market buy changes holdings and cash', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자 구매' }).waitFor();
  const amount = page.getByRole('button', { name: /^수량/ });
  const value = amount.locator('output');
  const cta = page.getByRole('button', { name: '구매하기' });
  // Digits have animations of their own; a rejected key shakes the whole amount.
  let shakes = 0;
  await page.exposeFunction('countShake', () => {
    shakes += 1;
  });
  await value.evaluate((output) => {
    output.addEventListener('animationstart', (event) => {
      if (event.target === output) (window as unknown as { countShake: () => void }).countShake();
    });
  });

  // With nothing typed the button says what is missing instead of being disabled.
  await cta.tap();
  await page.getByText('수량을 입력해주세요').waitFor();
  await expect.poll(() => shakes).toBe(1);

  await press(page, '3');
  expect(shakes).toBe(1);
  await press(page, '9');
  const limit = page.getByRole('alert').filter({ hasText: /^여유 5%를 더하면 최대 \d+주까지 살 수 있어요$/ });
  await limit.waitFor();
  await expect.poll(() => shakes).toBe(2);
  expect(await cta.getAttribute('aria-disabled')).toBe('true');
  expect(digitsOf(await amount.innerText())).toBe('39');
  await expectAccessible(page);

  const terms = await api.get<{ maxBuyQty: number; availableCash: number }>(
    `/api/v1/invest/member/${String(session.memberSid)}/code/005930?acno=00`,
    session.token,
  );
  await page.getByRole('button', { name: '최대' }).tap();
  await limit.waitFor({ state: 'hidden' });
  const most = Number(digitsOf(await amount.innerText()));
  // The market moves between the two requests, but by no more than a share or two.
  expect(Math.abs(most - terms.maxBuyQty)).toBeLessThanOrEqual(2);
  expect(terms.availableCash).toBe(5_000_000);

  await page.getByRole('button', { name: '한 글자 지우기' }).tap();
  await page.getByRole('button', { name: '한 글자 지우기' }).tap();
  await press(page, '3');
  const bought = await confirmOrder(page, '삼성전자', '구매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: 30_000 });
  await expectAccessible(page);
  await page.getByRole('button', { name: '확인' }).tap();

  await page.getByRole('region', { name: '내 보유' }).getByText('3주', { exact: true }).waitFor();
  const { order } = await orderOf(session, bought);
  expect(order).toMatchObject({ status: 'FILLED', juQty: 3, filledQty: 3, juPrc: null });
  expect(await holdingsOf(session)).toMatchObject([{ isuSrtCd: '005930', juQty: 3, heldQty: 0 }]);
  const cash = 5_000_000 - order.filledAmount - order.fee;
  expect((await accountOf(session)).accounts[0]).toMatchObject({ deposit: cash, held: 0, available: cash });

  await page.goto('/my');
  await page.getByText(`${cash.toLocaleString('ko-KR')}원`).first().waitFor();
  await page.goto('/my/holdings');
  await page.getByRole('main').getByRole('link', { name: '삼성전자' }).getByText('3주 · 평균').waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});
