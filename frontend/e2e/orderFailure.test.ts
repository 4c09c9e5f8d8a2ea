import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, holdingsOf, type Session, waitingOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone, type Phone, animationsFinished } from './support/browser';
import { press } from './support/mainJob';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

const ORDER = '**/api/v1/stock/order';
const CLOSE = '**/api/v1/invest/close-request';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface AtConfirm {
  phone: Phone;
  session: Session;
  /** The order bodies sent by the page. */
  sent: string[];
  confirm: () => Promise<void>;
}

/** A member at the confirmation of a buy of 대우건설. The first order may hit a fault on its way. */
const atConfirm = async (qty: string, fault?: (route: Route, session: Session) => Promise<void>): Promise<AtConfirm> => {
  const phone = await openPhone(browser);
  const { context, page } = phone;
  const session = await newMemberOn(context);
  const sent: string[] = [];
  await context.route(ORDER, async (route) => {
    sent.push(route.request().postData() ?? '');
    await (fault !== undefined && sent.length === 1 ? fault(route, session) : route.continue());
  });
  await page.goto('/order/stock/047040?side=buy');
  await page.getByRole('heading', { level: 1, name: '대우건설 구매' }).waitFor();
  await press(page, qty);
  await page.getByRole('button', { name: '구매하기' }).tap();
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.waitFor();
  return { phone, session, sent, confirm: () => sheet.getByRole('button', { name: '구매하기' }).tap() };
};

const isDone = (page: Page): Promise<void> => page.getByRole('heading', { level: 1, name: '대우건설 구매 주문 완료' }).waitFor();
const reqSidOf = (body: string | undefined): string => (JSON.parse(body ?? '{}') as { reqSid: string }).reqSid;

/** Waits for the fill and returns the number of shares: twice the quantity would be two orders. */
const sharesOf = async (session: Session): Promise<number> => {
  await eventually('nothing waits any more', async () => (await waitingOf(session)).length === 0);
  const [holding] = await holdingsOf(session);
  return holding?.juQty ?? 0;
};

test('a rejection is shown in the words of the server', async () => {
  const { phone, session, confirm } = await atConfirm('250');
  const { page, context, pageErrors } = phone;
  // Meanwhile the money is spent on another device.
  await buyByApi(session, { code: '005930', qty: 18, price: 200_000 });
  const [reply] = await Promise.all([page.waitForResponse(ORDER), confirm()]);
  expect(reply.status()).toBe(422);
  const rejection = (await reply.json()) as { reason: string; message: string };
  expect(rejection.reason).toBe('INSUFFICIENT_CASH');
  const dialog = page.getByRole('alertdialog', { name: '주문하지 못했어요' });
  await dialog.getByText(rejection.message, { exact: true }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '확인' }).tap();
  await dialog.waitFor({ state: 'hidden' });
  expect(await holdingsOf(session)).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('after a lost reply the order is queried by its request id and not sent again', async () => {
  // The server receives, answers and fills the order; the reply never reaches the page.
  const { phone, session, sent, confirm } = await atConfirm('5', async (route, member) => {
    await route.fetch();
    await eventually('the order is filled', async () => (await holdingsOf(member))[0]?.juQty === 5);
    await route.abort('timedout');
  });
  const { page, context, pageErrors } = phone;
  const [reply] = await Promise.all([page.waitForResponse(CLOSE), confirm()]);
  expect(reply.headers()['idempotent-replayed']).toBe('true');
  expect(reply.request().postDataJSON()).toMatchObject({ reqSid: reqSidOf(sent[0]) });
  await isDone(page);
  expect(sent).toHaveLength(1);
  expect(await sharesOf(session)).toBe(5);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('while the outcome cannot be queried a retry carries the same request id', async () => {
  const { phone, session, sent, confirm } = await atConfirm('5', async (route, member) => {
    await route.fetch();
    await eventually('the order is filled', async () => (await holdingsOf(member))[0]?.juQty === 5);
    await route.abort('timedout');
  });
  const { page, context } = phone;
  await context.route(CLOSE, (route) => route.abort('timedout'));
  await confirm();
  const dialog = page.getByRole('alertdialog', { name: '주문이 들어갔는지 확인하지 못했어요' });
  await dialog.waitFor();
  await expectAccessible(page);
  const [reply] = await Promise.all([page.waitForResponse(ORDER), dialog.getByRole('button', { name: '다시 시도' }).tap()]);
  expect(reply.headers()['idempotent-replayed']).toBe('true');
  await isDone(page);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBe(sent[0]);
  expect(reqSidOf(sent[0])).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  expect(await sharesOf(session)).toBe(5);
  await context.close();
});

test('an order that never arrived is reported, and has no effect when it arrives late', async () => {
  const { phone, session, sent, confirm } = await atConfirm('5', (route) => route.abort('timedout'));
  const { page, context } = phone;
  await confirm();
  const dialog = page.getByRole('alertdialog', { name: '주문하지 못했어요' });
  await dialog.getByText('주문이 접수되지 않았어요. 다시 주문해 주세요.').waitFor();
  const late = await context.request.post('/api/v1/stock/order', {
    data: JSON.parse(sent[0] ?? '') as object,
    headers: { Authorization: `Bearer ${session.token}` },
  });
  expect(late.status()).toBe(422);
  expect(await late.json()).toMatchObject({ reason: 'ORDER_NOT_RECEIVED' });
  expect(await waitingOf(session)).toEqual([]);
  expect(await sharesOf(session)).toBe(0);
  await context.close();
});

test('a page reloaded while its order is being sent queries the outcome', async () => {
  const { phone, session, sent, confirm } = await atConfirm('5', async (route) => {
    await route.fetch();
  });
  const { page, context } = phone;
  await confirm();
  await eventually('the order is filled', async () => (await holdingsOf(session))[0]?.juQty === 5);
  await page.reload();
  await isDone(page);
  expect(sent).toHaveLength(1);
  expect(await sharesOf(session)).toBe(5);
  // The order is resolved: the next one starts with an empty form.
  await page.reload();
  await page.getByRole('heading', { level: 1, name: '대우건설 구매' }).waitFor();
  await animationsFinished(page);
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  await context.close();
});

test('the outcome of an order is reported on another screen, too', async () => {
  const { phone, session, sent, confirm } = await atConfirm('5', async (route) => {
    await route.fetch();
  });
  const { page, context } = phone;
  await confirm();
  await eventually('the order is filled', async () => (await holdingsOf(session))[0]?.juQty === 5);
  await page.goto('/invest-v2/stock');
  const dialog = page.getByRole('alertdialog', { name: '대우건설 5주 구매 주문' });
  await dialog.getByText(/체결됐어요/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '확인' }).tap();
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await animationsFinished(page);
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  expect(sent).toHaveLength(1);
  await context.close();
});

test('two taps at once send one order', async () => {
  const { phone, session, sent } = await atConfirm('5');
  const { page, context } = phone;
  const button = page.getByRole('dialog', { name: /구매할까요\?$/ }).getByRole('button', { name: '구매하기' });
  // At first no reply gets through.
  await button.tap({ trial: true });
  // Two clicks at once, faster than any finger or render.
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await isDone(page);
  expect(sent).toHaveLength(1);
  expect(await sharesOf(session)).toBe(5);
  await context.close();
});

test('offline the button is blocked with its reason, and nothing is sent when the connection returns', async () => {
  const { phone, session, sent } = await atConfirm('5');
  const { page, context, pageErrors } = phone;
  await context.setOffline(true);
  await page.getByText('인터넷 연결이 끊겼어요. 마지막으로 불러온 내용을 보여드려요.').waitFor();
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.getByText('연결되면 할 수 있어요').waitFor();
  expect(await sheet.getByRole('button', { name: '구매하기' }).getAttribute('aria-disabled')).toBe('true');
  await animationsFinished(page);
  await sheet.getByRole('button', { name: '구매하기' }).tap({ force: true });
  await sheet.getByRole('button', { name: '닫기' }).first().tap();
  await sheet.waitFor({ state: 'hidden' });
  expect(await page.getByRole('button', { name: '구매하기' }).getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);

  await context.setOffline(false);
  await page.getByText('인터넷 연결이 끊겼어요. 마지막으로 불러온 내용을 보여드려요.').waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('button', { name: '구매하기' }).getAttribute('aria-disabled')).toBeNull();
  // The page has refetched and is idle: a queued order would have been sent by now.
  await page.waitForLoadState('networkidle');
  expect(sent).toEqual([]);
  expect(await holdingsOf(session)).toEqual([]);
  expect(await waitingOf(session)).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
});
