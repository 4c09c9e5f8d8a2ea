import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';

interface Interest {
  payout: number;
  interestBeforeTax: number;
  tax: number;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test.each([
  ['light', false],
  ['dark', true],
])('a visitor compares deposits and sees what is paid out, to the won, in %s', async (_theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  await page.goto('/invest-v2/product');
  const row = page.getByRole('main').getByRole('listitem');
  await row.first().waitFor();
  await page.getByRole('group', { name: '정렬' }).getByRole('button', { name: '금리 높은 순' }).tap();
  await expectAccessible(page);
  const rates = async (): Promise<number[]> =>
    (await row.allInnerTexts()).flatMap((text) => {
      const rate = /연 ([\d.]+)%/.exec(text)?.[1];
      return rate === undefined ? [] : [Number(rate)];
    });
  await expect.poll(async () => {
    const shown = await rates();
    return shown.length > 3 && shown.every((rate, index) => index === 0 || rate <= (shown[index - 1] ?? 0));
  }).toBe(true);

  await page.goto('/invest-v2/product/1');
  await page.getByRole('heading', { name: 'WON플러스예금' }).first().waitFor();
  const expected = await api.get<Interest>('/api/v1/product/1/interest?amount=10000000&saveTrm=12&intrRateType=01&best=true');
  expect(expected.payout).toBe(10_000_000 + expected.interestBeforeTax - expected.tax);
  await page.getByText(`12개월 뒤 ${expected.payout.toLocaleString('ko-KR')}원 받아요`).waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 90_000);
