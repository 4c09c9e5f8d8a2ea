import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser } from './support/browser';
import { product } from './support/product';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const aside = (page: Page) => page.getByRole('complementary', { name: '휴대폰으로 열기' });

const open = async (width: number, path: string, origin = product.origin) => {
  const context = await browser.newContext({ baseURL: origin, viewport: { width, height: 800 }, locale: 'ko-KR', serviceWorkers: 'block' });
  if (origin !== product.origin) {
    await context.route(`${origin}/**`, async (route) => {
      const url = route.request().url().replace(origin, product.origin);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
  }
  const page = await context.newPage();
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname));
  await page.goto(path);
  await page.getByRole('main').first().waitFor();
  return { context, page, files };
};

test('a wide screen has a sidebar next to the phone-wide frame', async () => {
  const { context, page } = await open(1_280, '/invest-v2/stock');
  await aside(page).getByText('가상 머니로 주식, 코인, 금 투자를 연습해요').waitFor();
  const frame = await page.locator('.app').boundingBox();
  const sidebar = await aside(page).boundingBox();
  expect(frame?.width).toBe(428);
  expect((sidebar?.x ?? 0) + (sidebar?.width ?? 0)).toBeLessThanOrEqual(frame?.x ?? 0);
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  expect(await aside(page).isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 899, height: 800 });
  await expect.poll(() => aside(page).count()).toBe(0);
  await context.close();
});

test('an address reachable by other machines has a QR code', async () => {
  // The product as another machine would reach it, on any address of this one.
  const { context, page } = await open(1_280, '/invest-v2/coin', 'http://192.0.2.7');
  const code = aside(page).getByRole('img', { name: '지금 보는 화면의 QR 코드' });
  await code.waitFor();
  const drawn = await code.locator('path').getAttribute('d');
  await page.getByRole('link', { name: '비트코인', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: '비트코인' }).waitFor();
  await expect.poll(() => code.locator('path').getAttribute('d')).not.toBe(drawn);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

test('a phone loads nothing of the sidebar', async () => {
  const { context, page, files } = await open(412, '/invest-v2/stock');
  await page.getByRole('main').getByText(/\d원/).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(files.filter((file) => file.includes('sidebar'))).toEqual([]);
  await context.close();
});
