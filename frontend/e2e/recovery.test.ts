import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, buyByApi, type Holding, holdingsOf, orderOf, type Session, sessionOf, waitingOf } from './support/books';
import { launchBrowser, openPhone, type Phone } from './support/browser';
import { expectVolumeCounted, expectWholeDay } from './support/candles';
import { confirmOrder, press } from './support/mainJob';
import { api, type TestMember } from './support/member';
import { eventually, killProcess, type ProcessName } from './support/processes';
import { priceMoves } from './support/screen';
import { newMemberOn } from './support/session';

const PROCESSES: ProcessName[] = ['gateway', 'auth', 'trading', 'market-data', 'edge', 'rabbitmq', 'redis', 'postgres'];

/** A thin market fills an order in parts, with the trades of others. */
const FILLED_WITHIN_MS = 60_000;

/** A busy machine restarts processes one after the other, and dependencies may be late. */
const OUTAGE_MS = 60_000;

/** The time of the latest price of a share that trades all the time. */
const newestPriceMs = async (): Promise<number> => {
  const { tickSeq } = await api.get<{ tickSeq: number }>('/api/v1/stock/real/code/005930');
  return tickSeq / 1_000;
};

/** Calls next to the page use a token of their own: on a busy machine this takes longer than a token lives. */
const logInAgain = async (): Promise<void> => {
  const { memberSid, accessToken } = await api.post<TestMember>('/api/v1/auth/login', { email: member.email, password: member.password });
  session = { memberSid, token: accessToken };
};

/** After three retries the page waits for a manual reconnect; a process of a busy machine may start later than that. */
const isLiveAgain = (page: Page): Promise<void> =>
  eventually('the page is live again', async () => {
    const again = page.getByRole('button', { name: '다시 연결', exact: true });
    if (await again.isVisible()) await again.tap({ timeout: 5_000 });
    return page.getByText('실시간', { exact: true }).isVisible();
  }, OUTAGE_MS);

let browser: Browser;
let phone: Phone;
let member: TestMember;
let session: Session;
let bought: number;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a member who holds shares watches the prices', async () => {
  phone = await openPhone(browser);
  const joined = await newMemberOn(phone.context);
  member = joined.member;
  session = joined;
  bought = (await buyByApi(session, { code: '047040', qty: 10 })).orderSid;
  await eventually('the first order is filled', async () => (await orderOf(session, bought)).order.status === 'FILLED', FILLED_WITHIN_MS);
  await phone.page.goto('/invest-v2/stock?tab=kospi');
  await phone.page.getByText('실시간', { exact: true }).waitFor();
  // Lost after a reload: the page has to recover without one.
  await phone.page.evaluate(() => {
    document.body.dataset.opened = 'once';
  });
});

test.each(PROCESSES)('when %s is killed, the page recovers by itself and nothing is lost', async (name) => {
  const { page } = phone;
  const list = page.getByRole('main').getByRole('list');
  await priceMoves(list);
  let deposit: number | undefined;
  await eventually('the money before is known', async () => {
    await logInAgain();
    deposit = (await accountOf(session)).accounts[0]?.deposit;
    return deposit !== undefined;
  }, OUTAGE_MS);
  await killProcess(name);
  const restartedMs = Date.now();

  await eventually('the member sees the same money', async () => {
    const { accounts } = await accountOf(session);
    return accounts[0]?.deposit === deposit;
  }, OUTAGE_MS);
  await eventually('orders are taken again', async () => {
    const { orderSid } = await buyByApi(session, { code: '047040', qty: 1, price: 11_000 });
    await eventually('the order waits', async () => (await waitingOf(session)).some((order) => order.orderSid === orderSid), 5_000);
    return true;
  }, OUTAGE_MS);
  // Ticks sent before the kill may still arrive; only prices made afterwards prove the recovery.
  await eventually('prices are newer than the restart', async () => (await newestPriceMs()) > restartedMs + 1_000, OUTAGE_MS);
  await isLiveAgain(page);
  await priceMoves(list, 3, OUTAGE_MS);
  expect(await page.evaluate(() => document.body.dataset.opened)).toBe('once');
  // The order was accepted before, but reads have a path and a concurrency limit of their own.
  let holdings: Holding[] = [];
  await eventually('the holdings are read', async () => {
    holdings = await holdingsOf(session);
    return true;
  }, OUTAGE_MS);
  expect(holdings[0]).toMatchObject({ isuSrtCd: '047040', juQty: 10 });
}, 480_000);

test('after all of that no minute is missing or counted twice', async () => {
  for (const code of ['KRW-BTC', 'KRW-ETH', 'AAPL']) await expectWholeDay(code);
  for (const code of ['005930', '047040', 'KRW-BTC']) await expectVolumeCounted(code);
}, 120_000);

test('and a share can still be bought on the same page', async () => {
  const { page } = phone;
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: '005930' });
  await row.getByRole('link').tap();
  await page.getByRole('button', { name: '구매하기' }).tap();
  await press(page, '1');
  const orderSid = await confirmOrder(page, '삼성전자', '구매');
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: FILLED_WITHIN_MS });
  expect((await orderOf(await sessionOf(page), orderSid)).order).toMatchObject({ status: 'FILLED', filledQty: 1 });
  expect(await page.evaluate(() => document.body.dataset.opened)).toBe('once');
});
