import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const SCREENS = [
  ['/home', '내 총자산'],
  ['/invest-v2/stock', '삼성전자'],
  ['/invest-v2/stock/005930', '전일 종가'],
  ['/order/stock/005930?side=buy', '주문 가능'],
  ['/settings', '화면 테마'],
] as const;

const visitAll = async (page: Page, look: () => Promise<void>): Promise<void> => {
  for (const [path, sign] of SCREENS) {
    await page.goto(path);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await look();
  }
};

const backgroundOf = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.querySelector('.app') ?? document.body).backgroundColor);
const isDark = (color: string): boolean => (color.match(/\d+/g) ?? []).slice(0, 3).every((part) => Number(part) < 60);

// J31: dark theme, large text, reduced motion and forced colours.
test('a chosen theme applies to every screen and survives a reload', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await newMemberOn(context);
  await page.goto('/settings');
  expect(isDark(await backgroundOf(page))).toBe(false);
  await page.getByRole('radio', { name: '다크' }).check({ force: true });
  await expect.poll(async () => isDark(await backgroundOf(page))).toBe(true);
  await page.reload();
  await page.getByText('화면 테마').waitFor();
  expect(isDark(await backgroundOf(page))).toBe(true);
  await page.getByRole('radio', { name: '라이트' }).check({ force: true });
  await expect.poll(async () => isDark(await backgroundOf(page))).toBe(false);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('text at twice the size needs no horizontal scrolling, and nothing moves under reduced motion', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { reducedMotion: 'reduce' });
  const session = await newMemberOn(context);
  await context.addInitScript((sid) => {
    localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup');
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '200%';
    });
  }, session.memberSid);
  await visitAll(page, async () => {
    await expectAccessible(page);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() }).toBeLessThanOrEqual(412);
    const longest = await page.evaluate(() =>
      Math.max(0, ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))),
    );
    expect(longest, page.url()).toBeLessThanOrEqual(100);
  });
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('in forced colours every screen keeps its texts and controls', async () => {
  const { context, page, pageErrors } = await openPhone(browser, { forcedColors: 'active' });
  const session = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), session.memberSid);
  await visitAll(page, async () => {
    await expectAccessible(page);
    // System colours override ours, so controls need an outline and not just a background.
    const bare = await page.evaluate(() =>
      [...document.querySelectorAll('button')]
        .filter((button) => button.offsetParent !== null && getComputedStyle(button).forcedColorAdjust === 'none')
        .map((button) => button.innerText),
    );
    expect(bare, page.url()).toEqual([]);
  });
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('no Korean word breaks inside, and a cut column shows that a wide table continues', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const session = await newMemberOn(context);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), session.memberSid);
  await visitAll(page, async () => {
    const breaking = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[가-힣]/.test(node.textContent ?? '')))
        .filter((element) => getComputedStyle(element).wordBreak !== 'keep-all')
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(breaking, page.url()).toEqual([]);
  });

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/invest-v2/stock/005930');
  await page.getByRole('button', { name: '표로 보기' }).tap();
  const table = page.getByRole('dialog', { name: /시세$/ }).getByRole('region');
  await table.getByRole('row').nth(3).waitFor();
  const placesAt = (end: 'start' | 'end') =>
    table.evaluate((region, to) => {
      region.scrollLeft = to === 'start' ? 0 : region.scrollWidth;
      const [time, ...figures] = [...(region.querySelector('tbody tr')?.children ?? [])].map((cell) => cell.getBoundingClientRect());
      return { right: region.getBoundingClientRect().right, time, figures };
    }, end);
  const before = await placesAt('start');
  expect(before.right).toBe(320);
  // A figure is cut by the edge; otherwise the last visible one would look like the last of all.
  expect(before.figures.some(({ left, right }) => left < 320 - 8 && right > 320 + 8), JSON.stringify(before)).toBe(true);
  const after = await placesAt('end');
  expect(after.time?.left).toBe(0);
  // Figure widths are fractional.
  expect(after.figures.at(-1)?.right).toBeLessThanOrEqual(320.5);
  expect(pageErrors).toEqual([]);
  await context.close();
});
