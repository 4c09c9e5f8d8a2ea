import { fileURLToPath } from 'node:url';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { measureStorm, measureTapWork } from './performance/live.ts';
import { launchBrowser } from './support/browser';

// In processor time, scaled to a phone that is four times slower. `make frames` has tighter limits and measures the clock, too.
const dist = fileURLToPath(new URL('../dist/', import.meta.url));

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('100 prices a second leave a phone time for taps on a list that is not scrolled', async () => {
  const storm = await measureStorm(browser, dist, 100, 6);
  expect(storm.ticksPerSecond).toBeGreaterThan(80);
  expect(storm.longestTaskMs).toBeLessThan(100);
  // Twice as much as `make frames` allows on an idle machine, because caches and cores are shared with other processes.
  expect(storm.scriptMsPerSecond).toBeLessThan(300);
  expect(storm.busy).toBeLessThan(1);
});

test('a tap on a heart, a chip or a tab has no task longer than 100 ms, while prices change', async () => {
  const workMs = await measureTapWork(browser, dist);
  expect(workMs).toHaveLength(20);
  expect(Math.max(...workMs)).toBeLessThan(100);
});
