import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, orderOf, type Session } from './support/books';
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

const MOVED = 1_000_000;
const FILLED_WITHIN_MS = 60_000;

interface NamedAccount {
  acno: string;
  actNm: string;
  deposit: number;
  held: number;
  holdingsValue: number;
}

const accountNamed = async (session: Session, name: string): Promise<NamedAccount> => {
  const accounts = (await accountOf(session)).accounts as unknown as NamedAccount[];
  const account = accounts.find(({ actNm }) => actNm === name);
  if (account === undefined) throw new Error(`no account ${name}`);
  return account;
};

const openAccount = ({ memberSid, token }: Session): Promise<unknown> =>
  api.post('/api/v1/invest/transfer', { memberSid, fromAcno: '00', toAcno: '02', amount: MOVED, reqSid: `picker-${String(memberSid)}` }, token);

const row = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} · `) });

const won = (amount: number): string => `${amount.toLocaleString('ko-KR')}원`;

// Money moved into a sub-account buys there, and what it bought is sold there; the basic account keeps every won.
test.each([
  ['light', {}],
  ['dark', { dark: true }],
])('a coin is bought from 코인 계좌 and sold from it, in %s', async (theme, look) => {
  const picture = (page: Page, name: string) => page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/picker-${name}-${theme}.png` });
  const { context, page, pageErrors } = await openPhone(browser, look);
  const session = await newMemberOn(context);
  await openAccount(session);

  await page.goto('/invest-v2/coin/KRW-BTC?refMarketCode=coin');
  await page.getByRole('button', { name: '구매하기' }).tap();
  await row(page, '기본 계좌').filter({ hasText: won(5_000_000 - MOVED) }).tap();
  const picker = page.getByRole('dialog', { name: '어느 계좌에서 구매할까요?' });
  await picker.getByRole('radio', { name: '코인 계좌' }).waitFor();
  await expectAccessible(page);
  await picture(page, 'sheet');
  await picker.getByRole('radio', { name: '코인 계좌' }).tap();
  await picker.waitFor({ state: 'hidden' });
  await row(page, '코인 계좌').filter({ hasText: `주문 가능 ${won(MOVED)}` }).waitFor();

  // The choice survives a reload, with what was typed.
  await page.getByRole('button', { name: '주문 단위 금액' }).tap();
  await press(page, '300000');
  await page.reload();
  await row(page, '코인 계좌').waitFor();
  await expect.poll(async () => digitsOf(await page.getByRole('button', { name: /^금액/ }).innerText())).toBe('300000');
  await expectAccessible(page);
  await picture(page, 'order');
  const bought = await confirmOrder(page, '비트코인', '구매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: FILLED_WITHIN_MS });
  await page.getByRole('main').getByText('코인 계좌', { exact: true }).waitFor();
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('region', { name: '내 보유 · 코인 계좌' }).waitFor();
  await picture(page, 'holding');

  const buy = (await orderOf(session, bought)).order;
  const coins = await accountNamed(session, '코인 계좌');
  expect(coins).toMatchObject({ deposit: MOVED - buy.filledAmount - buy.fee, held: 0 });
  expect(await accountNamed(session, '기본 계좌')).toMatchObject({ deposit: 5_000_000 - MOVED, held: 0, holdingsValue: 0 });

  // Only this account holds the coin, so there is nothing to choose.
  await page.getByRole('button', { name: '판매하기' }).tap();
  await page.getByText(/^코인 계좌 · 보유/).waitFor();
  await page.getByRole('button', { name: '최대' }).tap();
  const sold = await confirmOrder(page, '비트코인', '판매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: FILLED_WITHIN_MS });
  const sell = (await orderOf(session, sold)).order;
  expect(sell.filledQty).toBe(buy.filledQty);
  const change = sell.filledAmount - sell.fee - sell.tax - buy.filledAmount - buy.fee;
  expect(await accountNamed(session, '코인 계좌')).toMatchObject({ deposit: MOVED + change, held: 0, holdingsValue: 0 });
  expect(await accountNamed(session, '기본 계좌')).toMatchObject({ deposit: 5_000_000 - MOVED });

  // The next coin order starts with the account used last; a share starts with the basic one, its only one.
  await page.goto('/order/coin/KRW-ETH?side=buy');
  await row(page, '코인 계좌').waitFor();
  await page.goto('/order/stock/005930?side=buy');
  await page.getByText('주문 가능', { exact: true }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('the choice is usable on a low and narrow screen, and by keyboard', async () => {
  const { context, page } = await openPhone(browser);
  await page.setViewportSize({ width: 320, height: 640 });
  const session = await newMemberOn(context);
  await openAccount(session);
  await page.goto('/order/coin/KRW-BTC?side=buy');
  await row(page, '기본 계좌').waitFor();
  const cta = page.getByRole('button', { name: '구매하기' });
  const last = page.getByRole('group', { name: /수량 입력/ }).getByRole('button', { name: '0', exact: true });
  for (const control of [row(page, '기본 계좌'), last, cta]) {
    const box = await control.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
  }
  await row(page, '기본 계좌').focus();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: '어느 계좌에서 구매할까요?' });
  await picker.getByRole('radio', { name: '기본 계좌' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await picker.getByRole('radio', { name: '코인 계좌' }).isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await picker.waitFor({ state: 'hidden' });
  await row(page, '코인 계좌').waitFor();
  await expectAccessible(page);
  await context.close();
});
