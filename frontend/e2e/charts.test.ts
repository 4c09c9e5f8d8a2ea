import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { confirmOrder, press } from './support/mainJob';
import { api } from './support/member';
import { priceMoves, rowOf } from './support/screen';
import { newMemberOn } from './support/session';

interface Candle {
  date: string;
  close: number;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const chartOf = (page: Page): Locator => page.getByRole('tabpanel');

/** The rows of the chart's table, newest first: time and closing price. */
const tableOf = async (page: Page): Promise<{ time: string; close: string }[]> => {
  await page.getByRole('button', { name: '표로 보기' }).tap();
  const sheet = page.getByRole('dialog', { name: /시세$/ });
  await sheet.getByRole('table').waitFor();
  const rows = await sheet.getByRole('row').evaluateAll((found) =>
    found.slice(1).map((row) => ({ time: row.querySelector('th')?.innerText ?? '', close: row.querySelector('td')?.innerText ?? '' })),
  );
  await sheet.getByRole('button', { name: '닫기' }).first().tap();
  await sheet.waitFor({ state: 'hidden' });
  return rows;
};

const korean = (date: string): string => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Asia/Seoul',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(date));
  const part = (type: string): string => parts.find((found) => found.type === type)?.value ?? '';
  return `${part('month')}.${part('day')} ${part('hour')}:${part('minute')}`;
};

// J18: periods, Korean time in any zone, single bars, the table, and a chart that fails to load.
test('a phone in New York shows the chart in Korean time, period by period, bar by bar and as a table', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { timezoneId: 'America/New_York' });
  const asked: string[] = [];
  page.on('request', (request) => {
    const type = new URL(request.url()).searchParams.get('candleType');
    if (type !== null) asked.push(type);
  });
  await page.goto('/invest-v2/stock/005930');
  await chartOf(page).getByRole('img', { name: '삼성전자 1일 차트.' }).waitFor();
  // The dot of the last price and its ring are entirely inside the frame.
  await expect
    .poll(() =>
      page.locator('[data-label=last]').evaluate((dot) => {
        const frame = dot.closest('[data-look]')?.getBoundingClientRect().right ?? 0;
        return dot.getBoundingClientRect().width > 0 ? frame - dot.getBoundingClientRect().right : -1;
      }),
    )
    .toBeGreaterThanOrEqual(3);
  const ofDay = await api.get<{ candles: Candle[] }>('/api/v1/global-stock/get-chart-data-type/005930?candleType=DAY');
  const dayRows = await tableOf(page);
  // Old bars no longer change; the newest still do.
  expect(dayRows.at(-1)?.time).toBe(korean(ofDay.candles[0]?.date ?? ''));
  expect(dayRows.at(-1)?.close).toBe(`${(ofDay.candles[0]?.close ?? 0).toLocaleString('ko-KR')}원`);

  for (const period of ['1주', '3개월', '1년', '5년']) {
    await page.getByRole('tab', { name: period, exact: true }).tap();
    await chartOf(page).getByRole('img', { name: `삼성전자 ${period} 차트. 시작` }).waitFor();
  }
  expect([...new Set(asked)]).toEqual(['DAY', 'WEEKLY', 'THREE_MONTH', 'YEAR', 'FIVE_YEAR']);

  await page.getByRole('tab', { name: '3개월', exact: true }).tap();
  await chartOf(page).getByRole('img', { name: '삼성전자 3개월 차트. 시작' }).waitFor();
  const { candles } = await api.get<{ candles: Candle[] }>('/api/v1/global-stock/get-chart-data-type/005930?candleType=THREE_MONTH');
  const rows = await tableOf(page);
  const expected = candles.map(({ date, close }) => ({ time: date.slice(0, 10).replaceAll('-', '.'), close: `${close.toLocaleString('ko-KR')}원` }));
  expect(rows.slice(1)).toEqual(expected.reverse().slice(1));
  await expectAccessible(page);

  // A pointer on the canvas shows its bar.
  const box = await page.locator('canvas').first().boundingBox();
  if (box === null) throw new Error('there is no canvas');
  const pill = page.getByText(/^\d{4}\.\d\d\.\d\d\s+[\d,]+원$/);
  await expect
    .poll(async () => {
      await page.mouse.move(box.x + box.width * (0.4 + Math.random() * 0.2), box.y + box.height / 2);
      return pill.filter({ visible: true }).count();
    })
    .toBe(1);
  const [day, price] = (await pill.filter({ visible: true }).innerText()).split(/\s+/);
  expect(expected).toContainEqual({ time: day, close: price });
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a chart that fails to load shows an error while the price stays live, and loads on retry', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await context.route('**/get-chart-data-type/**', (route) => route.abort());
  await page.goto('/invest-v2/stock/005930');
  await chartOf(page).getByText('차트를 불러오지 못했어요').waitFor({ timeout: 60_000 });
  await expectAccessible(page);
  await page.getByText('실시간', { exact: true }).waitFor();
  await priceMoves(page.getByRole('main').locator('section').first());
  await context.unroute('**/get-chart-data-type/**');
  await chartOf(page).getByRole('button', { name: '다시 시도' }).tap();
  await chartOf(page).getByRole('img', { name: '삼성전자 1일 차트.' }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

// J17: a coin with its decimals and its history, and gold with the exchange rate.
test('a coin keeps its address, is bought in decimals, and its chart scrolls into the past', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/invest-v2/coin');
  await rowOf(page, '비트코인').getByRole('link', { name: '비트코인', exact: true }).tap();
  await page.waitForURL((url) => url.pathname === '/invest-v2/coin/KRW-BTC' && url.searchParams.get('refMarketCode') === 'coin');
  await chartOf(page).getByRole('img', { name: '비트코인 1일 차트.' }).waitFor();

  await page.getByRole('tab', { name: '3개월', exact: true }).tap();
  const chart = chartOf(page).getByRole('img', { name: '비트코인 3개월 차트. 시작' });
  await chart.waitFor();
  const older = page.waitForResponse((response) => new URL(response.url()).searchParams.has('to') && response.ok());
  const box = await page.locator('canvas').first().boundingBox();
  if (box === null) throw new Error('there is no canvas');
  for (const share of [0.2, 0.2, 0.2]) {
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
  }
  const reply = await older;
  const { candles } = (await reply.json()) as { candles: Candle[] };
  const oldest = (candles[0]?.date ?? '').slice(0, 10).replaceAll('-', '.');
  await expect.poll(async () => (await tableOf(page)).some(({ time }) => time === oldest)).toBe(true);

  await page.getByRole('button', { name: '구매하기' }).tap();
  await page.getByRole('heading', { level: 1, name: '비트코인 구매' }).waitFor();
  await press(page, '0.00123456');
  await confirmOrder(page, '비트코인', '구매');
  await page.getByText(/원에 체결됐어요$/).waitFor();
  await page.getByRole('button', { name: '확인' }).tap();
  await page.getByRole('region', { name: '내 보유' }).getByText('0.00123456개', { exact: true }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('gold moves, with the dollar rate above it', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await page.goto('/invest-v2/gold');
  const rates = page.getByRole('region', { name: '금값과 환율' });
  await rates.getByText('원/달러').waitFor();
  await rates.getByText(/^[\d,.]+원$/).first().waitFor();
  await priceMoves(rowOf(page, '금 99.99_1Kg'), 1, 60_000);
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});
