import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, buyByApi, orderOf, type Session } from './support/books';
import { animationsFinished, expectAccessible, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';
import { eventually } from './support/processes';
import { product } from './support/product';
import { newMemberOn } from './support/session';

interface Card {
  kind: string;
  orderSid: number;
  won: number;
  slippageTicks: number;
  fillCount: number;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Buys until the last trade was below the asked price, as every other one is: only then there is slippage. */
const boughtWithSlippage = async (session: Session): Promise<number> => {
  for (let tries = 0; tries < 8; tries += 1) {
    const { orderSid } = await buyByApi(session, { code: '005930', qty: 2 });
    await eventually('the order fills', async () => (await orderOf(session, orderSid)).order.status === 'FILLED', 60_000);
    const { fills } = await orderOf(session, orderSid);
    if (fills.some(({ slippage }) => slippage !== null)) return orderSid;
  }
  throw new Error('no order had slippage');
};

const grouped = (won: number): string => `${won.toLocaleString('ko-KR')}원`;

test.each([
  ['light', false],
  ['dark', true],
])('an own order becomes cards with its numbers, in the receipt and in 학습, and a question, in %s', async (theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const picture = (name: string) => page.screenshot({ path: `${product.runDir}/log/trade-cards-${name}-${theme}.png` });
  const session = await newMemberOn(context);
  await page.goto('/study-v2');
  await page.getByRole('heading', { name: '테마로 배우기' }).waitFor();
  expect(await page.getByText('내 거래로 배우기').count()).toBe(0);

  const bought = await boughtWithSlippage(session);
  await page.goto('/my/orders/history?tab=stock');
  await page.getByRole('main').getByRole('button', { name: /삼성전자/ }).first().tap();
  const receipt = page.getByRole('dialog', { name: '왜 이 가격?' });
  const lessons = receipt.getByRole('region', { name: '내 거래로 배우기' });
  await lessons.waitFor();

  // Every won equals the receipt's.
  const { order, fills } = await orderOf(session, bought);
  const cards = await api.get<Card[]>(`/api/v1/education/cards/${String(session.memberSid)}?orderSid=${String(bought)}`, session.token);
  const slippage = fills.reduce((sum, fill) => sum + (fill.slippage ?? 0), 0);
  const ticks = Math.max(...fills.map((fill) => fill.slippageTicks));
  expect(slippage).toBeGreaterThan(0);
  expect(cards.find(({ kind }) => kind === 'SLIPPAGE')).toMatchObject({ orderSid: bought, won: slippage, slippageTicks: ticks, fillCount: fills.length });
  expect(cards.find(({ kind }) => kind === 'FEE')).toMatchObject({ won: order.fee });
  const sentence = `${String(ticks)}틱, ${grouped(slippage)}이 슬리피지였어요`;
  await lessons.getByText(sentence).waitFor();
  await lessons.getByText(`내 주문의 수수료는 ${grouped(order.fee)}이었어요`).waitFor();
  if (fills.length === 1) await receipt.getByRole('definition').filter({ hasText: '체결 금액에 포함' }).getByText(grouped(slippage)).waitFor();
  await lessons.getByRole('button', { name: '이게 뭐예요?' }).first().tap();
  await lessons.getByText(/^슬리피지: /).waitFor();
  await lessons.scrollIntoViewIfNeeded();
  await animationsFinished(page);
  await expectAccessible(page);
  await picture('receipt');

  await page.goto('/study-v2');
  const home = page.getByRole('region', { name: '내 거래로 배우기' });
  await home.getByText(sentence).waitFor();
  await home.getByText('삼성전자 구매').first().waitFor();
  // A card about concentration may come above it at any time.
  const card = home.getByRole('listitem').filter({ hasText: sentence });
  await card.getByRole('button', { name: '이게 뭐예요?' }).tap();
  await home.scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await picture('home');

  await card.getByRole('link', { name: '문제 풀어보기' }).tap();
  await page.getByRole('radio', { name: '2,000원', exact: true }).check({ force: true });
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('heading', { name: '정답이에요!' }).waitFor();
  await page.getByText('연습 문제라 포인트는 없어요').waitFor();
  await expectAccessible(page);
  await picture('question');
  await page.getByRole('button', { name: '결과 보기' }).tap();
  await page.getByText('1문제 맞혔어요').waitFor();

  // Asked about once a week, and still explained in the receipt.
  await page.goto('/study-v2');
  await home.getByText(`내 주문의 수수료는 ${grouped(order.fee)}이었어요`).waitFor();
  await home.getByText(sentence).waitFor({ state: 'hidden' });
  expect(pageErrors).toEqual([]);
  await context.close();
}, 180_000);

test('a contract that is closed early becomes a card in its result and in 학습, and a question', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const { memberSid, token } = session;
  const body = { memberSid, productSid: 1, saveTrm: 12, amount: 1_000_000, reqSid: crypto.randomUUID() };
  const { contract } = await api.post<{ contract: { acno: string } }>('/api/v1/product', body, token);
  const ofContract = `/api/v1/product/account/${contract.acno}/member/${String(memberSid)}`;
  const { interest } = await api.get<{ interest: number }>(`${ofContract}/schedule`, token);
  expect(interest).toBeGreaterThan(0);
  await page.goto(`/my/contracts/${contract.acno}?close`);
  const closing = page.getByRole('dialog', { name: '지금 해지하면 1,000,000원 받아요' }).getByRole('button', { name: '해지하기' });
  await expect.poll(() => closing.getAttribute('aria-disabled')).toBe(null);
  await closing.tap();
  await page.getByRole('heading', { level: 1, name: 'WON플러스예금을 해지했어요' }).waitFor();

  const sentence = `만기까지 뒀다면 이자 ${grouped(interest)}, 받은 이자는 0원이에요`;
  const lesson = page.getByRole('region', { name: '내 거래로 배우기' });
  await lesson.getByText(sentence).waitFor();
  await lesson.getByRole('button', { name: '이게 뭐예요?' }).tap();
  await lesson.getByText(/^중도해지: /).waitFor();
  await lesson.scrollIntoViewIfNeeded();
  await animationsFinished(page);
  await expectAccessible(page);
  await page.screenshot({ path: `${product.runDir}/log/trade-cards-early-close.png` });

  await page.goto('/study-v2');
  await lesson.getByText('WON플러스예금 해지').waitFor();
  await lesson.getByText(sentence).waitFor();
  await lesson.getByRole('button', { name: '이게 뭐예요?' }).tap();
  await lesson.getByRole('link', { name: '문제 풀어보기' }).tap();
  for (const name of ['가입한 날의 기본금리', '지금까지 지난 달 수', '처음에 약속한 달 수']) {
    await page.getByRole('checkbox', { name, exact: true }).check({ force: true });
  }
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('heading', { name: '정답이에요!' }).waitFor();
  await page.goto('/study-v2');
  await page.getByRole('heading', { name: '테마로 배우기' }).waitFor();
  await expect.poll(() => page.getByText(sentence).count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 120_000);

test('a purchase that leaves much in one item becomes a card with its share', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  const { orderSid } = await buyByApi(session, { code: '005930', qty: 1 });
  await eventually('the first order fills', async () => (await orderOf(session, orderSid)).order.status === 'FILLED', 60_000);
  const { filledAmount } = (await orderOf(session, orderSid)).order;
  const half = Math.floor(2_500_000 / filledAmount);
  const { orderSid: much } = await buyByApi(session, { code: '005930', qty: half });
  await eventually('the second order fills', async () => (await orderOf(session, much)).order.status === 'FILLED', 60_000);

  const cards = `/api/v1/education/cards/${String(session.memberSid)}`;
  type Share = { kind: string; percent: number; value: number; total: number };
  const noticed = async () => (await api.get<Share[]>(cards, session.token)).find(({ kind }) => kind === 'CONCENTRATION');
  await eventually('the purchase is noticed', async () => (await noticed()) !== undefined, 60_000);
  const card = await noticed();
  if (card === undefined) throw new Error('the card is gone');
  // Of prices that have moved since.
  const { total, accounts } = await accountOf(session);
  expect(Math.abs(card.total - total)).toBeLessThan(total / 50);
  expect(Math.abs(card.value - (accounts[0]?.holdingsValue ?? 0))).toBeLessThan(card.value / 50);
  expect(card.percent).toBeCloseTo((card.value / card.total) * 100, 1);
  expect(card.percent).toBeGreaterThan(40);
  await page.goto('/study-v2');
  const home = page.getByRole('region', { name: '내 거래로 배우기' });
  await home.getByText(`삼성전자가 내 자산의 ${String(card.percent)}%예요`).waitFor();
  await home.getByRole('button', { name: '이게 뭐예요?' }).first().tap();
  await home.getByText(/^분산 투자: /).waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 180_000);
