import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, orderOf, type Session } from './support/books';
import { launchBrowser, openPhone, animationsFinished } from './support/browser';
import { press } from './support/mainJob';
import { eventually } from './support/processes';
import { priceMoves } from './support/screen';
import { newMemberOn } from './support/session';

const FOLDER = fileURLToPath(new URL('../docs/', import.meta.url));
const MAX_BYTES = 300_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(() => browser.close());

const buy = async (session: Session, code: string, qty: number): Promise<void> => {
  const { orderSid } = await buyByApi(session, { code, qty });
  await eventually(`${code} is bought`, async () => (await orderOf(session, orderSid)).order.status === 'FILLED');
};

const photograph = async (page: Page, name: string): Promise<void> => {
  await animationsFinished(page);
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path });
  expect(statSync(path).size, path).toBeLessThan(MAX_BYTES);
};

// Takes the pictures of the README from the running product: npm run screenshots
test.each([
  ['light', false],
  ['dark', true],
])('pictures in %s', async (theme, dark) => {
  const { context, page } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);
  await buy(session, '005930', 5);
  await buy(session, 'KRW-ETH', 0.2);
  await buy(session, '069500', 4);

  await page.goto('/invest-v2/stock');
  await page.getByText('실시간', { exact: true }).waitFor();
  await priceMoves(page.getByRole('main').getByRole('list'));
  await photograph(page, `list-${theme}`);

  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('img', { name: '삼성전자 1일 차트.' }).waitFor();
  await page.getByRole('region', { name: '내 보유' }).waitFor();
  await page.getByText('실시간', { exact: true }).waitFor();
  await page.getByText(/^최고 /).waitFor();
  await page.getByText(/^최저 /).waitFor();
  await photograph(page, `detail-${theme}`);

  await page.getByRole('button', { name: '구매하기' }).tap();
  await press(page, '3');
  await page.getByText('예상 금액').waitFor();
  await photograph(page, `order-${theme}`);

  await page.evaluate((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), session.memberSid);
  await page.goto('/home');
  await page.getByRole('region', { name: '보유 종목' }).getByRole('link', { name: /삼성전자/ }).waitFor();
  await page.getByRole('region', { name: '시장 동향' }).getByRole('link', { name: /코스피/ }).waitFor();
  await page.getByText('실시간', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await photograph(page, `home-${theme}`);

  await page.goto('/my');
  await page.getByRole('region', { name: '내 총자산' }).waitFor();
  await page.getByText('실시간', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await photograph(page, `my-${theme}`);
  await context.close();
});
