import { fileURLToPath } from 'node:url';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { countStormWork, countTapWork } from './performance/live.ts';
import { launchWholeBrowser } from './support/browser';

// Counted, not timed: how long the same work takes says more about the machine. `make frames` measures processor time and the clock.
const dist = fileURLToPath(new URL('../dist/', import.meta.url));

let browser: Browser;
beforeAll(async () => {
  browser = await launchWholeBrowser();
});
afterAll(() => browser.close());

test.each([100, 400])('%i prices a second are drawn at most once a frame, and touch nothing but their rows', async (ticksPerSecond) => {
  const work = await countStormWork(browser, dist, ticksPerSecond, 6);
  expect(work.ticks).toBeGreaterThan(ticksPerSecond * 6 * 0.8);
  // A frame more for what was begun before counting.
  expect(work.layouts).toBeLessThanOrEqual(work.frames + 1);
  expect(work.drawings).toBeLessThanOrEqual(work.frames * 1.1);
  // Price, change, and the direction that a changed price shows for a moment.
  expect(work.changes / work.ticks).toBeLessThan(4);
  expect(work.newElements / work.ticks).toBeLessThan(0.2);
});

test('a tap on a heart, a chip or a tab does not lay the page out for each row, while prices change', async () => {
  const layouts = await countTapWork(browser, dist);
  expect(layouts).toHaveLength(20);
  // 18 to 24 were counted with the 15 frames of that time; a layout for each of the 20 rows comes on top.
  expect(Math.max(...layouts)).toBeLessThanOrEqual(30);
});
