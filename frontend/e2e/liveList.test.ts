import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { eventually } from './support/processes';
import { priceMoves, rowOf } from './support/screen';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface ShownRow {
  code: string;
  text: string;
  color: string;
}

/** The content of the rows: code, change with its arrow, and its colour. */
const rowsOf = (page: Page): Promise<ShownRow[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main li')].map((row) => {
      const change = [...row.querySelectorAll('span')].find((span) => /%/.test(span.textContent) && !/원|\$/.test(span.textContent));
      return {
        code: /[A-Z]{3}-[A-Z0-9]+|\b\d{5}[0-9A-Z]\b/.exec((row as HTMLElement).innerText)?.[0] ?? '',
        text: change?.textContent ?? '',
        color: change ? getComputedStyle(change).color : '',
      };
    }),
  );

const isRed = (color: string): boolean => {
  const [red = 0, , blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
  return red > blue + 40;
};
const isBlue = (color: string): boolean => {
  const [red = 0, , blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
  return blue > red + 40;
};

test('prices of a list move, and a rise is red with ▲, a fall blue with ▼', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  await page.goto('/invest-v2/stock?tab=kospi&sort=value');
  await priceMoves(rowOf(page, '삼성전자'));
  const sides = new Set<string>();
  for (const sort of ['rateUp', 'rateDown']) {
    await page.goto(`/invest-v2/stock?tab=kospi&sort=${sort}`);
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    for (const { text, color } of await rowsOf(page)) {
      // The arrow is the sign: no figure has its own.
      expect(text).not.toMatch(/[-+]\d/);
      if (text.includes('▲')) {
        expect(isRed(color), `${text} in ${color}`).toBe(true);
        sides.add('rise');
      } else if (text.includes('▼')) {
        expect(isBlue(color), `${text} in ${color}`).toBe(true);
        sides.add('fall');
      } else {
        expect(isRed(color) || isBlue(color), `${text} in ${color}`).toBe(false);
      }
    }
  }
  expect([...sides].sort()).toEqual(['fall', 'rise']);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('every row shows its sparkline, and one call loads them all', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const asked: string[][] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/sparklines')) asked.push(searchParams.get('codes')?.split(',') ?? []);
  });
  await page.goto('/invest-v2/stock?tab=kospi');
  const rows = page.getByRole('main').getByRole('listitem');
  await rows.first().waitFor();
  const before = await rows.first().boundingBox();
  await rows.first().locator('polyline').waitFor();
  expect(await rows.first().boundingBox()).toEqual(before);
  const drawn = await rows.count();
  const lines = await page.locator('main li polyline').evaluateAll((all) => all.map((line) => line.getAttribute('points')?.split(' ').length ?? 0));
  expect(lines).toHaveLength(drawn);
  for (const points of lines) {
    expect(points).toBeGreaterThanOrEqual(2);
    expect(points).toBeLessThanOrEqual(60);
  }
  expect(asked).toHaveLength(1);
  expect(asked[0]).toHaveLength(drawn);
  await expectAccessible(page);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test.each(['/invest-v2/coin', '/invest-v2/gold'])('the sparklines of %s are aligned, next to any text and any price', async (path) => {
  const { context, page } = await openPhone(browser);
  await page.goto(path);
  const rows = page.getByRole('main').locator('li:has(a)');
  await rows.first().waitFor();
  const lines = rows.locator('svg[style]');
  await expect.poll(async () => (await lines.count()) - (await rows.count())).toBe(0);
  const places = await lines.evaluateAll((all) =>
    all.map((line) => {
      const { left, width } = line.getBoundingClientRect();
      return `${left.toFixed(1)} ${width.toFixed(1)}`;
    }),
  );
  expect(new Set(places).size, places.join(', ')).toBe(1);

  // On a narrow phone a code still fits in front of the longest price.
  await page.setViewportSize({ width: 360, height: 915 });
  const broken = await rows.evaluateAll((all) =>
    all.flatMap((row) => {
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const { index, 0: code = '' } = /^KRW-[A-Z0-9]+/.exec(node.textContent ?? '') ?? { index: 0 };
        if (code === '') continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + code.length);
        const isBelow = range.getBoundingClientRect().bottom > (node.parentElement?.getBoundingClientRect().bottom ?? 0);
        if (range.getClientRects().length > 1 || isBelow) return [code];
      }
      return [];
    }),
  );
  expect(broken).toEqual([]);
  await context.close();
});

test('a long list renders and subscribes only the rows in view, down to its last one', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  // The codes subscribed at the price service.
  const followed = new Set<string>();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; codes?: string[] };
      for (const code of frame.codes ?? []) {
        if (frame.type === 'SUBSCRIBE') followed.add(code);
        if (frame.type === 'UNSUBSCRIBE') followed.delete(code);
      }
    });
  });
  await page.goto('/invest-v2/coin?tab=all');
  const rows = page.getByRole('main').getByRole('listitem');
  await rows.first().waitFor();
  const total = Number(await rows.first().getAttribute('aria-setsize'));
  expect(total).toBeGreaterThan(60);

  const followsWhatIsDrawn = (): Promise<void> =>
    eventually('the page follows exactly the rows it draws', async () => {
      const drawn = (await rowsOf(page)).map(({ code }) => code);
      return drawn.length < 30 && drawn.length === followed.size && drawn.every((code) => followed.has(code));
    });
  await followsWhatIsDrawn();

  const last = page.locator(`main li[aria-posinset="${String(total)}"]`);
  await eventually('the last row is reached', async () => {
    await page.mouse.wheel(0, 1_500);
    return (await last.count()) === 1;
  });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await last.waitFor();
  await followsWhatIsDrawn();
  await expectAccessible(page);
  await priceMoves(page.getByRole('main').getByRole('list'));
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a burst of ticks redraws the cells that changed and nothing else', async () => {
  const { context, page } = await openPhone(browser);
  await page.goto('/invest-v2/stock?tab=kospi');
  await priceMoves(rowOf(page, '삼성전자'));
  // All DOM changes for some seconds, by their container.
  const changed = await page.evaluate(
    () =>
      new Promise<{ inPrices: number; elsewhere: string[] }>((resolve) => {
        const seen = { inPrices: 0, elsewhere: [] as string[] };
        const observer = new MutationObserver((records) => {
          for (const { target } of records) {
            const element = target instanceof Element ? target : target.parentElement;
            if (!element?.isConnected) continue;
            // A price cell is next to its row's link, never around it.
            const row = element.closest('main li');
            if (row && !element.querySelector('a') && !element.closest('a')) seen.inPrices += 1;
            else seen.elsewhere.push(element.outerHTML.slice(0, 120));
          }
          if (seen.inPrices > 60) {
            observer.disconnect();
            resolve(seen);
          }
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );
  expect(changed.elsewhere).toEqual([]);
  await context.close();
});
