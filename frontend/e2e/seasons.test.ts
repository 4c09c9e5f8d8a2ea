import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, buyByApi, orderOf, sellByApi, type Session } from './support/books';
import { expectAccessible, expectSound, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';
import { grantCash } from './support/operator';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const filled = (session: Session, orderSid: number): Promise<void> =>
  eventually(`order ${String(orderSid)} is filled`, async () => (await orderOf(session, orderSid)).order.status === 'FILLED');

/** Answers both questions; a double tap at the end resets once. */
async function confirm(page: Page, picture: (name: string) => Promise<unknown>): Promise<void> {
  const question = page.getByRole('dialog', { name: '처음부터 다시 시작할까요?' });
  await question.getByText('보유 종목과 주문이 모두 사라지고 되돌릴 수 없어요').waitFor();
  await expectAccessible(page);
  await picture('question');
  const first = question.getByRole('button', { name: '초기화하기' });
  await expect.poll(() => first.getAttribute('aria-disabled')).toBe(null);
  await first.tap();
  const last = page.getByRole('dialog', { name: '마지막으로 확인해주세요' }).getByRole('button', { name: '초기화하기' });
  await expect.poll(() => last.getAttribute('aria-disabled')).toBe(null);
  await expectAccessible(page);
  await picture('last');
  await last.dblclick();
  // A mouse that rests on a message keeps it on the screen.
  await page.mouse.move(0, 0);
}

test.each([
  ['light', false],
  ['dark', true],
])('a member begins again and finds the season before everywhere, in %s', async (theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);
  const picture = (name: string) => page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/season-${name}-${theme}.png` });
  const bought = await buyByApi(session, { code: '005930', qty: 4 });
  await filled(session, bought.orderSid);
  const sold = await sellByApi(session, { code: '005930', qty: 3 });
  await filled(session, sold.orderSid);

  await page.goto('/my/account');
  await page.getByRole('link', { name: '투자 초기화' }).tap();
  await page.getByText('5,000,000원으로 다시 시작할 수 있어요').waitFor();
  await expectSound(page);
  await picture('before');
  await page.getByRole('button', { name: '투자 초기화' }).tap();
  await confirm(page, picture);
  const past = page.getByRole('link', { name: /시즌 1/ });
  await past.waitFor();
  await page.getByText('지금은 시즌 2').waitFor();
  await page.getByText(/부터 다시 초기화할 수 있어요/).waitFor();
  await expectSound(page);
  await picture('after');
  const fresh = await accountOf(session);
  expect([fresh.total, fresh.base]).toEqual([5_000_000, 5_000_000]);

  await past.tap();
  const item = page.getByRole('link', { name: /삼성전자/ });
  await item.waitFor();
  expect(await item.innerText()).toContain('3주 판매');
  await page.locator('summary').filter({ hasText: '전체 기간 손익' }).tap();
  await expectSound(page);
  await picture('profit');
  await item.tap();
  await page.getByRole('button', { name: /3주 판매/ }).tap();
  await page.getByRole('dialog', { name: '왜 이 가격?' }).getByText('받은 돈').first().waitFor();
  await page.goto('/my/profit-loss');
  await page.getByText('아직 판매한 종목이 없어요').waitFor();

  await page.goto('/my/orders/history');
  await page.getByText('이 기간에는 주문 내역이 없어요').waitFor();
  await page.getByRole('button', { name: '시즌 1' }).tap();
  await page.getByText('삼성전자').first().waitFor();
  await expectSound(page);
  await picture('orders');
  await page.goto('/my/transfer/history');
  await page.getByText('새 시즌 시작').waitFor();
  await page.getByRole('button', { name: '시즌 1' }).tap();
  await page.getByText('시즌 마무리').waitFor();
  await expectSound(page);
  await picture('cash');

  // A ticket is for one more.
  await page.goto('/my/seasons');
  await page.getByRole('link', { name: '다시 시작 티켓 보기' }).waitFor();
  grantCash(session, 3);
  await api.post('/api/v1/invest/buy-item', { memberSid: session.memberSid, itemSid: 5, quantity: 1 }, session.token);
  await page.reload();
  await page.getByRole('button', { name: '티켓 쓰고 초기화' }).tap();
  await confirm(page, () => Promise.resolve());
  await page.getByText('지금은 시즌 3').waitFor();
  expect(await page.getByRole('link', { name: /시즌 [12]/ }).count()).toBe(2);
  expect(pageErrors).toEqual([]);
  await context.close();
});
