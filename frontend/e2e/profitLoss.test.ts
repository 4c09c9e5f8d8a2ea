import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountOf, buyByApi, orderOf, sellByApi, type Session } from './support/books';
import { expectAccessible, expectSound, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const filled = (session: Session, orderSid: number): Promise<void> =>
  eventually(`order ${String(orderSid)} is filled`, async () => (await orderOf(session, orderSid)).order.status === 'FILLED');

// J22: from the empty list to a sale's receipt, by item, day, month and year, and of chosen days.
test.each([
  ['light', false],
  ['dark', true],
])('what was sold is found by item, by period and down to its receipt, in %s', async (theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);
  await page.goto('/my');
  await page.getByRole('main').getByRole('link', { name: '손익', exact: true }).tap();
  await page.getByText('아직 판매한 종목이 없어요').waitFor();
  await page.getByRole('region', { name: '이번 달 실현 손익' }).getByText('0원').waitFor();
  await page.getByRole('region', { name: '자산 변화' }).getByText('내일부터 자산 변화를 그려 드려요').waitFor();
  await expectSound(page);

  const bought = await buyByApi(session, { code: '005930', qty: 4 });
  await filled(session, bought.orderSid);
  const sold = await sellByApi(session, { code: '005930', qty: 3 });
  await filled(session, sold.orderSid);
  // Everything that was gained is what the account is worth less what was put in; prices move between the two answers.
  await eventually('the sums are the change of the account', async () => {
    const { total, base } = await accountOf(session);
    const path = `/api/v1/invest/ALL/profit-loss-list/${String(session.memberSid)}`;
    const { summary } = await api.get<{ summary: { total: number } }>(path, session.token);
    return summary.total === total - base;
  });

  await page.goto('/my/profit-loss');
  const item = page.getByRole('link', { name: /삼성전자/ });
  await item.waitFor();
  expect(await item.innerText()).toContain('3주 판매');
  await page.locator('summary').filter({ hasText: '전체 기간 손익' }).tap();
  await page.getByRole('table', { name: '전체 기간 손익' }).waitFor();
  await page.getByText('+5,000,000원').waitFor();
  await expectSound(page);
  await page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/profit-${theme}.png`, fullPage: true });

  for (const group of ['일', '년', '월']) {
    await page.getByRole('tab', { name: group, exact: true }).tap();
    await page.getByRole('link', { name: /1번 판매/ }).waitFor();
  }
  await expectSound(page);
  await page.getByRole('link', { name: /1번 판매/ }).tap();
  await page.waitForURL(/period=custom&from=\d{4}-\d{2}-01&to=\d{4}-\d{2}-\d{2}$/);
  await item.tap();

  await page.getByRole('heading', { name: '판매 내역', level: 2 }).waitFor();
  await expectSound(page);
  await page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/sales-${theme}.png`, fullPage: true });
  await page.getByRole('button', { name: /3주 판매/ }).tap();
  const receipt = page.getByRole('dialog', { name: '왜 이 가격?' });
  await receipt.getByText('받은 돈').first().waitFor();
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('chosen days are sent as dates alone', async () => {
  const { context, page } = await openPhone(browser);
  await newMemberOn(context);
  const asked: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.includes('/profit-loss-list/')) asked.push(url.searchParams);
  });
  await page.goto('/my/profit-loss?period=custom&from=2026-01-05T12:00:00&to=2026-01-31');
  await page.getByText('이 기간에 판매한 종목이 없어요').waitFor();
  const days = asked.map((search) => [search.get('startDate'), search.get('endDate')]);
  expect(days.at(-1)).toEqual(['2026-01-05', '2026-01-31']);
  await page.getByRole('button', { name: '예·적금' }).tap();
  await page.getByText('아직 받은 이자가 없어요').waitFor();
  await context.close();
});
