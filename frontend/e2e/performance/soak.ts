// Half an hour with 100 prices a second and a change of screen every half minute: node soak.ts [MINUTES]. Fails when the heap
// has grown by more than 10 MB, or the page still watches codes it no longer shows.
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { serveManyRows } from './manyRows.ts';
import { openMeasured } from './trace.ts';

const minutes = Number(process.argv[2] ?? 30);
const TICKS_PER_SECOND = 100;
const CHANGES = 50;
const MAX_GROWTH_MB = 10;
const MEGABYTE = 1_000_000;
const SCREENS = ['주식', '코인'] as const;

const product = await serveManyRows(fileURLToPath(new URL('../../dist/', import.meta.url)), 20, TICKS_PER_SECOND);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const { page, session } = await openMeasured(browser);
  await session.send('Performance.enable');
  const measured = async (): Promise<{ heapMb: number; listeners: number; nodes: number }> => {
    for (let pass = 0; pass < 3; pass += 1) await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const value = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    return { heapMb: value('JSHeapUsedSize') / MEGABYTE, listeners: value('JSEventListeners'), nodes: value('Nodes') };
  };
  await page.goto(`${product.origin}/invest-v2/stock`);
  await page.getByText('실시간', { exact: true }).waitFor();
  const change = async (number: number): Promise<void> => {
    const kinds = page.getByRole('navigation').filter({ hasText: '예적금' });
    await kinds.getByRole('link', { name: SCREENS[number % SCREENS.length] ?? '' }).click();
    await page.waitForTimeout((minutes * 60_000) / CHANGES);
  };
  // The first visits load the code of the screens and fill the caches.
  for (let number = 1; number <= SCREENS.length; number += 1) await change(number);
  const before = await measured();
  const watchedBefore = product.watched();
  for (let number = 1; number <= CHANGES; number += 1) {
    await change(number);
    if (number % 10 === 0) console.log(`${String(number)} changes of screen: ${JSON.stringify(await measured())}`);
  }
  const after = await measured();
  const grownMb = after.heapMb - before.heapMb;
  console.log(`${String(minutes)} minutes, ${String(product.ticksSent())} ticks: the heap grew by ${grownMb.toFixed(1)} MB to ${after.heapMb.toFixed(1)} MB; ${String(product.watched())} instruments are watched, ${String(watchedBefore)} were`);
  if (grownMb > MAX_GROWTH_MB || product.watched() !== watchedBefore) process.exitCode = 1;
} finally {
  await browser.close();
  product.close();
}
