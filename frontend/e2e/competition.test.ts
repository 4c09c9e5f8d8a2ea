import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, holdingsOf } from './support/books';
import { expectSound, launchBrowser, openPhone } from './support/browser';
import { confirmOrder, press } from './support/mainJob';
import { digitsOf } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const picture = (page: Page, name: string) => page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/competition-${name}.png` });

const switchMode = async (page: Page, question: string, confirm: string): Promise<void> => {
  await page.goto('/my');
  await page.getByRole('switch', { name: '대회 모드' }).tap();
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: confirm }).tap();
  await page.waitForURL('**/home');
};

const chip = (page: Page) => page.getByRole('banner').getByText('대회 모드', { exact: true });

// J29: the competition mode.
test('in the mode there are shares alone on an account of its own, and nothing of it is left afterwards', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  await page.goto('/home');
  await page.getByText('5,000,000원').first().waitFor();
  await switchMode(page, '대회 모드로 바꿀까요?', '바꾸기');
  await chip(page).waitFor();
  await page.getByText('10,000,000원').first().waitFor();
  expect(await page.getByText('5,000,000원').count()).toBe(0);
  await expectSound(page);
  await picture(page, 'home');

  for (const path of ['/invest/products', '/invest-v2/products', '/invest-v2/coin', '/invest-v2/gold', '/invest-v2', '/invest-v2/product', '/invest-v2/coin/KRW-BTC']) {
    await page.goto(path);
    await expect.poll(() => new URL(page.url()).pathname, { message: path }).toBe('/invest-v2/stock');
  }
  await page.getByRole('button', { name: '주식 종목을 입력하세요' }).tap();
  const tabs = page.getByRole('dialog', { name: '종목 검색' }).getByRole('tab');
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['주식', 'ETF']);
  await page.goBack();

  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자 구매' }).waitFor();
  await press(page, '3');
  await confirmOrder(page, '삼성전자', '구매');
  await expect.poll(async () => (await holdingsOf(session)).length, { timeout: 20_000 }).toBe(1);
  const [held] = await holdingsOf(session);
  expect(held?.acno).toMatch(/99$/);
  await page.goto('/my/holdings');
  await page.getByText('삼성전자').first().waitFor();

  await switchMode(page, '대회 모드를 끌까요?', '끄기');
  await page.getByText('5,000,000원').first().waitFor();
  expect(await chip(page).count()).toBe(0);
  expect((await accountOf(session)).total).toBe(5_000_000);
  await page.goto('/my/holdings');
  await page.getByText('아직 보유한 종목이 없어요').waitFor();
  await page.goto('/invest-v2/coin');
  await page.getByRole('link', { name: /비트코인/ }).first().waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

test.each([
  ['light', false],
  ['dark', true],
])('a member joins the running event, competes and leaves for good, in %s', async (theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  await newMemberOn(context);
  await page.goto('/competition');
  await page.getByText('첫걸음 투자 대회').waitFor();
  await expectSound(page);
  await picture(page, `list-${theme}`);
  await page.getByRole('link', { name: /첫걸음 투자 대회/ }).tap();
  await expectSound(page);
  await picture(page, `event-${theme}`);
  await page.getByRole('button', { name: '대회 참여하기' }).tap();
  const join = page.getByRole('dialog').getByRole('button', { name: /참여/ }).last();
  await expect.poll(() => join.getAttribute('aria-disabled')).toBe(null);
  await join.dblclick();
  await page.mouse.move(0, 0);
  await page.getByText('지금 이 대회로 거래하고 있어요').waitFor();
  await chip(page).waitFor();
  await expectSound(page);
  await picture(page, `joined-${theme}`);
  expect(digitsOf(await page.getByText(/3번 중 0번/).first().innerText())).toBe('30');

  const event = page.url();
  await page.goto(`${event}/leaderboard`);
  await page.getByRole('heading', { level: 1, name: '순위' }).waitFor();
  await expectSound(page);
  await page.getByText('아직 순위에 오른 사람이 없어요').waitFor();
  await picture(page, `board-${theme}`);
  await page.goto(event);

  await page.getByRole('button', { name: '대회에서 나가기' }).tap();
  for (let question = 0; question < 2; question += 1) {
    const button = page.getByRole('dialog').getByRole('button', { name: '나가기' }).last();
    await button.waitFor();
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
    await button.tap();
  }
  await expect.poll(() => page.getByText('지금 이 대회로 거래하고 있어요').count()).toBe(0);
  expect(await page.getByRole('button', { name: '대회 참여하기' }).count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('in a league that shows holdings each sees what the other owned, in percent alone', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/competition');
  await page.getByRole('button', { name: '리그 만들기' }).tap();
  const form = page.getByRole('dialog', { name: '리그 만들기' });
  await form.getByRole('textbox', { name: '리그 이름' }).fill('우리끼리');
  await form.getByRole('checkbox', { name: '서로의 보유 종목 보여주기' }).check();
  await form.getByText('15분 전 종목과 비중만 보이고 금액은 보이지 않아요').waitFor();
  await expectSound(page);
  await picture(page, 'league-form');
  await form.getByRole('button', { name: '리그 만들기' }).last().tap();
  await page.waitForURL(/\/competition\/\d+$/);
  await page.getByText('대회 규칙').tap();
  await page.getByText('참여한 사람의 15분 전 보유 종목과 비중을 볼 수 있어요').waitFor();
  await expectSound(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});
