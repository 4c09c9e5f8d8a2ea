import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buyByApi, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { joinOnScreen } from './support/mainJob';
import { eventually } from './support/processes';
import { priceMoves } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

// J01: from joining to the first home screen.
test('a newcomer sees the tour once, is given money, and finds it on home', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const reported: string[] = [];
  page.on('request', (request) => {
    const [, flag] = /\/member\/(tutorial|welcomePopup)\//.exec(request.url()) ?? [];
    if (request.method() === 'PATCH' && flag !== undefined) reported.push(flag);
  });
  await joinOnScreen(page, '/home', { mistypes: true });

  const tour = page.getByRole('dialog', { name: '시드업 둘러보기' });
  await tour.getByRole('heading', { name: '가상 머니로 연습해요' }).waitFor();
  await expectAccessible(page);
  await tour.getByRole('button', { name: '건너뛰기' }).tap();
  const welcome = page.getByRole('dialog', { name: '가상 머니를 넣어드렸어요' });
  await welcome.getByText('500만원').first().waitFor();
  await expectAccessible(page);
  await welcome.getByRole('button', { name: '좋아요' }).tap();
  await welcome.waitFor({ state: 'hidden' });

  const hero = page.getByRole('region', { name: '내 총자산' });
  await hero.getByText('5,000,000원').first().waitFor();
  await page.getByRole('region', { name: '첫 거래를 해볼까요?' }).waitFor();
  await expectAccessible(page);
  await expect.poll(() => [...reported].sort()).toEqual(['tutorial', 'welcomePopup']);

  await page.reload();
  await hero.waitFor();
  await page.getByRole('region', { name: '시장 동향' }).getByRole('link', { name: /코스피/ }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(reported).toHaveLength(2);
  expect(pageErrors).toEqual([]);
  await context.close();
});

describe.each([
  ['light', false],
  ['dark', true],
])('in %s', (_theme, dark) => {
  test('home is live, and its parts link to their screens', async () => {
    const { context, page, pageErrors } = await openPhone(browser, { dark });
    const session = await newMemberOn(context);
    const coin = await buyByApi(session, { code: 'KRW-BTC', qty: 0.01 });
    await eventually('the coin is bought', async () => (await orderOf(session, coin.orderSid)).order.status === 'FILLED');
    await page.goto('/');
    await page.waitForURL((url) => url.pathname === '/home');
    await page.getByRole('dialog', { name: '시드업 둘러보기' }).getByRole('button', { name: '건너뛰기' }).tap();
    await page.getByRole('dialog', { name: '가상 머니를 넣어드렸어요' }).getByRole('button', { name: '좋아요' }).tap();
    await priceMoves(page.getByRole('region', { name: '내 총자산' }));
    await expectAccessible(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(412);

    await page.getByRole('link', { name: '시장 동향 전체 보기' }).tap();
    await page.getByRole('region', { name: '코스피' }).waitFor();
    await expectAccessible(page);
    for (const tab of ['코인', '금', '예적금']) {
      await page.getByRole('tab', { name: tab, exact: true }).tap();
      await page.getByText(/\d\d:\d\d 기준/).first().waitFor();
      await expectAccessible(page);
    }
    await page.goto('/my/account');
    await page.getByRole('button', { name: '기본 계좌 수익률 기준 보기' }).tap();
    await page.getByRole('dialog', { name: '기본 자산이란' }).waitFor();
    await expectAccessible(page);
    await page.goto('/invest-v2/stock');
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await expectAccessible(page);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});
