import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, buyByApi, holdingsOf, orderOf, type Session, waitingOf } from './support/books';
import { launchBrowser, openPhone, type Phone } from './support/browser';
import { expectVolumeCounted, expectWholeDay } from './support/candles';
import { confirmOrder, press } from './support/mainJob';
import { api } from './support/member';
import { eventually, killProcess, type ProcessName } from './support/processes';
import { priceMoves } from './support/screen';
import { newMemberOn } from './support/session';

const PROCESSES: ProcessName[] = ['gateway', 'auth', 'trading', 'market-data', 'edge', 'rabbitmq', 'redis', 'postgres'];

/** When the newest price of a share that is traded all the time was made. */
const newestPriceMs = async (): Promise<number> => {
  const { tickSeq } = await api.get<{ tickSeq: number }>('/api/v1/stock/real/code/005930');
  return tickSeq / 1_000;
};

let browser: Browser;
let phone: Phone;
let session: Session;
let bought: number;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a member who holds shares watches the prices', async () => {
  phone = await openPhone(browser);
  session = await newMemberOn(phone.context);
  bought = (await buyByApi(session, { code: '047040', qty: 10 })).orderSid;
  await eventually('the first order is filled', async () => (await orderOf(session, bought)).order.status === 'FILLED');
  await phone.page.goto('/invest-v2/stock?tab=kospi');
  await phone.page.getByText('실시간', { exact: true }).waitFor();
  // Gone after a reload: the page has to recover as it is.
  await phone.page.evaluate(() => {
    document.body.dataset.opened = 'once';
  });
});

test.each(PROCESSES)('when %s is killed, the page recovers by itself and nothing is lost', async (name) => {
  const { page } = phone;
  const list = page.getByRole('main').getByRole('list');
  await priceMoves(list);
  const money = await accountOf(session);
  await killProcess(name);
  const restartedMs = Date.now();

  await eventually('the member sees the same money', async () => {
    const { accounts } = await accountOf(session);
    return accounts[0]?.deposit === money.accounts[0]?.deposit;
  }, 60_000);
  await eventually('orders are taken again', async () => {
    const { orderSid } = await buyByApi(session, { code: '047040', qty: 1, price: 11_000 });
    await eventually('the order waits', async () => (await waitingOf(session)).some((order) => order.orderSid === orderSid), 5_000);
    return true;
  }, 60_000);
  // What was on its way when it died may still arrive; only prices made afterwards prove that they flow again.
  await eventually('prices are newer than the restart', async () => (await newestPriceMs()) > restartedMs + 1_000, 60_000);
  await page.getByText('실시간', { exact: true }).waitFor({ timeout: 60_000 });
  await priceMoves(list, 3, 60_000);
  expect(await page.evaluate(() => document.body.dataset.opened)).toBe('once');
  expect((await holdingsOf(session))[0]).toMatchObject({ isuSrtCd: '047040', juQty: 10 });
}, 150_000);

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
  await page.getByText(/원에 체결됐어요$/).waitFor({ timeout: 30_000 });
  expect((await orderOf(session, orderSid)).order).toMatchObject({ status: 'FILLED', filledQty: 1 });
  expect(await page.evaluate(() => document.body.dataset.opened)).toBe('once');
});
