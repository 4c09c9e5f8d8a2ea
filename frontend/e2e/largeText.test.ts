import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, orderOf } from './support/books';
import { expectAccessible, launchBrowser, openPhone, animationsFinished } from './support/browser';
import { expectOrderResult, press } from './support/mainJob';
import { api } from './support/member';
import { eventually } from './support/processes';
import { digitsOf } from './support/screen';
import { newMemberOn } from './support/session';

const WIDTH = 320;
const HEIGHT = 640;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Figures that wrap or overflow the frame. */
const brokenFigures = (page: Page): Promise<string[]> =>
  page.evaluate((width) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const place = node.parentElement;
      if (place === null || !place.checkVisibility() || place.closest('.sr-only, option') !== null) continue;
      for (const { 0: figure, index } of (node.textContent ?? '').matchAll(/\d[\d,.]*(원|%|주|g|개)?/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + figure.length);
        const rects = [...range.getClientRects()].filter((rect) => rect.width > 1);
        const lines = new Set(rects.map((rect) => Math.round(rect.top)));
        const isInRow = place.closest('[class*="scroll"], [role="tablist"]') !== null;
        const isBeyond = !isInRow && rects.some((rect) => rect.left < -0.5 || rect.right > width + 0.5);
        if (lines.size > 1 || isBeyond) broken.push(`${figure} of "${place.innerText.slice(0, 40)}" (${place.className})`);
      }
    }
    return broken;
  }, WIDTH);

/** The main control is in view without scrolling. */
const expectInView = async (page: Page, name: string | RegExp): Promise<void> => {
  const box = await page.getByRole('button', { name }).or(page.getByRole('link', { name })).last().boundingBox();
  expect(box, `${String(name)} is shown`).not.toBeNull();
  if (box === null) return;
  const seen = JSON.stringify(box);
  expect(box.x, seen).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width, seen).toBeLessThanOrEqual(WIDTH);
  expect(box.y, seen).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height, seen).toBeLessThanOrEqual(HEIGHT);
};

/** Texts clipped by their box. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main h2, main [role=tab]')]
      .filter((place) => place.checkVisibility() && place.scrollHeight > place.clientHeight + 1)
      .map((place) => place.innerText),
  );

/** Where the price and the heart of each row are: below or beside the name, and on the same line or not. */
const rowShapes = (page: Page): Promise<string[]> =>
  page.locator('main li').evaluateAll((rows) =>
    rows.map((row) => {
      const [name, price, heart] = ['a[href]', '[aria-hidden=true]:has(+ span)', 'button'].map((part) => row.querySelector(part)?.getBoundingClientRect());
      if (!name || !price || !heart) return row.textContent;
      const isBelow = price.top >= name.bottom;
      const isBeside = heart.top < price.bottom && heart.bottom > price.top;
      return `${isBelow ? 'below' : 'beside'} the name, the heart ${isBeside ? 'next to it' : 'elsewhere'}`;
    }),
  );

/** Tab bars that wrap. */
const brokenBars = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role=tablist]')]
      .filter((bar) => new Set([...bar.querySelectorAll('[role=tab]')].map((tab) => Math.round(tab.getBoundingClientRect().top))).size > 1)
      .map((bar) => bar.innerText),
  );

const expectReadable = async (page: Page, action?: string | RegExp): Promise<void> => {
  await animationsFinished(page);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() }).toBeLessThanOrEqual(WIDTH);
  expect(await brokenFigures(page), page.url()).toEqual([]);
  expect(await cutTexts(page), page.url()).toEqual([]);
  expect(await brokenBars(page), page.url()).toEqual([]);
  if (action !== undefined) await expectInView(page, action);
  await expectAccessible(page);
};

const openLarge = async () => {
  const phone = await openPhone(browser, { reducedMotion: 'reduce' });
  await phone.page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await phone.context.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '200%';
    });
  });
  return phone;
};

test.each([
  ['/login', '로그인', /^로그인$/],
  ['/join', '전체 동의', '다음'],
])('%s is usable with text of twice the size on the smallest phone', async (path, sign, action) => {
  const { context, page, pageErrors } = await openLarge();
  await page.goto(path);
  await page.getByText(sign).filter({ visible: true }).first().waitFor();
  await expectReadable(page, action);
  expect(pageErrors).toEqual([]);
  await context.close();
});

const SCREENS: readonly [path: string, sign: string, action?: string][] = [
  ['/home', '시장 동향'],
  ['/invest-v2/stock', '삼성전자'],
  ['/invest-v2/coin', '비트코인'],
  ['/invest-v2/gold', '원/달러'],
  ['/invest-v2/product', '금리는'],
  ['/invest-v2/stock/000660', '전일 종가', '구매하기'],
  ['/invest-v2/coin/KRW-BTC?refMarketCode=coin', '전일 가격', '구매하기'],
  ['/my', '내 총자산'],
  ['/my/account', '기본'],
  ['/my/holdings', '평가 금액'],
  ['/my/orders/history', '체결'],
  ['/my/orders/wait', '주문'],
];

test('every member screen is readable with text of twice the size on the smallest phone', async () => {
  const { context, page, pageErrors } = await openLarge();
  const session = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), session.memberSid);
  for (const order of [{ code: '005930', qty: 3 }, { code: 'KRW-BTC', qty: 0.00812345 }]) {
    const { orderSid } = await buyByApi(session, order);
    await eventually(`${order.code} is bought`, async () => (await orderOf(session, orderSid)).order.status === 'FILLED');
  }
  await buyByApi(session, { code: '047040', qty: 7, price: 12_000 });
  for (const [path, sign, action] of SCREENS) {
    await page.goto(path);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    await expectReadable(page, action);
  }
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('the screens of deposits and savings are readable with text of twice the size on the smallest phone', async () => {
  const { context, page, pageErrors } = await openLarge();
  const { memberSid, token } = await newMemberOn(context);
  const join = { memberSid, productSid: 36, saveTrm: 12, amount: 500_000, transferDay: 5, reqSid: crypto.randomUUID() };
  const { contract } = await api.post<{ contract: { acno: string } }>('/api/v1/product', join, token);
  for (const [path, sign, action] of [
    ['/my/account', '모은 돈'],
    ['/my/holdings', '예적금'],
    ['/my/contracts', '만기에 받을 돈'],
    [`/my/contracts/${contract.acno}`, '돈이 쌓이는 과정', '해지하기'],
    ['/my/contracts/join/36?amount=500000&term=12&type=01&reserve=S', '만기가 되면', '가입하기'],
    ['/invest-v2/product/36', '얼마를 받을 수 있을까요?', '가입하기'],
  ] as const) {
    await page.goto(path);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await expectReadable(page, action);
  }
  await page.goto(`/my/contracts/${contract.acno}?close`);
  await page.getByRole('dialog', { name: /^지금 해지하면 [\d,]+원 받아요$/ }).waitFor();
  await expectReadable(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('an order can be placed with text of twice the size on the smallest phone', async () => {
  const { context, page, pageErrors } = await openLarge();
  await newMemberOn(context);
  await page.goto('/order/stock/047040?side=buy');
  await page.getByRole('button', { name: '지정가' }).tap();
  await page.getByRole('button', { name: /^수량/ }).tap();
  await press(page, '123');
  await page.getByText(/주문 가능/).first().waitFor();
  await expectReadable(page, '구매하기');
  await page.getByRole('button', { name: '구매하기' }).tap();
  const sheet = page.getByRole('dialog', { name: /구매할까요\?$/ });
  await sheet.getByText('모두 더한 금액').waitFor();
  await expectReadable(page, '구매하기');
  await sheet.getByRole('button', { name: '구매하기' }).tap();
  await expectOrderResult(page, '대우건설', '구매');
  await page.getByText('남은 주문 가능 금액').waitFor();
  await expectReadable(page, '확인');
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('an amount of seven digits is readable while typed with text of twice the size on the smallest phone', async () => {
  const { context, page, pageErrors } = await openLarge();
  await newMemberOn(context);
  await page.goto('/order/stock/047040?side=buy');
  await page.getByRole('button', { name: '주문 단위 금액' }).tap();
  const field = page.getByRole('button', { name: /^금액/ });
  const empty = await field.boundingBox();
  // As wide before the first digit as with the last: the keypad must not move under the finger.
  expect(empty?.width).toBeGreaterThan(250);
  await press(page, '1234567');
  await expect.poll(async () => digitsOf(await field.innerText())).toBe('1234567');
  const box = await field.boundingBox();
  expect(box?.width).toBeGreaterThan(250);
  expect(box?.height).toBe(empty?.height);
  await page.getByText(/주문 가능/).first().waitFor();
  await expectReadable(page, '구매하기');
  expect(pageErrors).toEqual([]);
  await context.close();
});

test.each(['/invest-v2/stock', '/invest-v2/stock?tab=us', '/invest-v2/coin', '/invest-v2/stock?tab=etf'])(
  'with text of twice the size all rows of %s have one shape, and one of their own with the usual size',
  async (path) => {
    const { context, page, pageErrors } = await openPhone(browser);
    await page.goto(path);
    await page.locator('main li').nth(5).waitFor();
    const usual = await rowShapes(page);
    expect(new Set(usual)).toEqual(new Set(['beside the name, the heart next to it']));
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
    const large = await rowShapes(page);
    expect(new Set(large)).toEqual(new Set(['below the name, the heart next to it']));
    expect(pageErrors).toEqual([]);
    await context.close();
  },
);
