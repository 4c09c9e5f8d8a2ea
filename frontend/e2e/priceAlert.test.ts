import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { api } from './support/member';
import { eventually } from './support/processes';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Alerts {
  active: { sid: number; kind: string; value: number }[];
  fired: { sid: number; firedPrice: number; tickSeq: number }[];
}
const alertsOf = ({ memberSid, token }: { memberSid: number; token: string }): Promise<Alerts> =>
  api.get<Alerts>(`/api/v1/market/alert/${String(memberSid)}`, token);

test.each([
  ['light', false],
  ['dark', true],
])('a member is told of a price once, and deletes an alert, in %s', async (theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const session = await newMemberOn(context);
  const picture = (name: string) => page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/alert-${name}-${theme}.png` });
  const { trdPrc } = await api.get<{ trdPrc: number }>('/api/v1/stock/real/code/005930', session.token);

  // Far above the price: it waits.
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('button', { name: '삼성전자 가격 알림 받기' }).tap();
  const sheet = page.getByRole('dialog', { name: '가격 알림' });
  await sheet.getByText('삼성전자 지금 가격').waitFor();
  await expectAccessible(page);
  await picture('sheet');
  for (const digit of String(trdPrc * 10)) await sheet.getByRole('button', { name: digit, exact: true }).tap();
  await sheet.getByRole('button', { name: '알림 받기' }).tap();
  await page.getByText('알림을 받을게요').waitFor();
  const waiting = await alertsOf(session);
  expect(waiting.active).toMatchObject([{ kind: 'ABOVE', value: trdPrc * 10 }]);

  // So near that the next change of the price reaches one of the two; each fires once.
  const now = await api.get<{ trdPrc: number }>('/api/v1/stock/real/code/005930', session.token);
  for (const [kind, value] of [['ABOVE', now.trdPrc + 1], ['BELOW', now.trdPrc - 1]] as const) {
    await api.post('/api/v1/market/alert', { memberSid: session.memberSid, code: '005930', kind, value }, session.token);
  }
  await eventually('an alert fires', async () => (await alertsOf(session)).fired.length > 0, 60_000);
  const [fired] = (await alertsOf(session)).fired;
  expect(fired?.firedPrice).toBeGreaterThan(0);
  expect(fired?.tickSeq).toBeGreaterThan(0);

  await page.goto('/my');
  await page.getByRole('link', { name: '가격 알림' }).tap();
  await page.getByRole('heading', { name: '지난 알림' }).waitFor();
  await expectAccessible(page);
  await picture('list');
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 412, height: 915 });

  const removal = page.getByRole('button', { name: `삼성전자 ${(trdPrc * 10).toLocaleString('ko-KR')}원 이상 알림 삭제` });
  await removal.tap();
  await page.getByText('알림을 삭제했어요').waitFor();
  await page.getByRole('button', { name: '취소', exact: true }).tap();
  await removal.waitFor();
  await removal.tap();
  await page.getByText('알림을 삭제했어요').waitFor();
  await page.goto('/my');
  const [{ sid } = { sid: 0 }] = waiting.active;
  await eventually('the alert is deleted', async () => (await alertsOf(session)).active.every((alert) => alert.sid !== sid));
  expect(pageErrors).toEqual([]);
  await context.close();
}, 120_000);
