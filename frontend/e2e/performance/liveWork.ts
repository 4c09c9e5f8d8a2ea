// The cost of live prices on a list that is not scrolled, and of taps meanwhile: node e2e/performance/liveWork.ts [SECONDS]
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

import { measureStorm, measureTapDelays, measureTapWork, type Storm } from './live.ts';
import { percent, quantile, spread } from './trace.ts';

const seconds = Number(process.argv[2] ?? 6);
const FRAME_AT_100_MS = 34;
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const problems: string[] = [];
const atMost = (what: string, value: number, limit: number): void => {
  if (!(value <= limit)) problems.push(`${what} is ${value.toFixed(1)}, over ${String(limit)}`);
};
const print = (storm: Storm): void => {
  console.log(
    `${storm.ticksPerSecond.toFixed(0)} ticks a second, as on a phone four times as slow: script ${storm.scriptMsPerSecond.toFixed(0)} ms/s, main thread busy ${percent(storm.busy)}, longest task ${storm.longestTaskMs.toFixed(1)} ms, work in a frame ${spread(storm.frameWorkMs)}, heap ${storm.heapGrowthMbPerMinute.toFixed(1)} MB/min`,
  );
  console.log(`  time between frames on this machine: ${spread(storm.gapsMs)}`);
};

try {
  const usual = await measureStorm(browser, dist, 100, seconds);
  print(usual);
  atMost('script at 100 ticks a second, in ms/s,', usual.scriptMsPerSecond, 150);
  atMost('the busy share of the main thread, in percent,', usual.busy * 100, 45);
  atMost('the longest task at 100 ticks a second, in ms,', usual.longestTaskMs, 100);
  const storm = await measureStorm(browser, dist, 1_000, seconds * 5);
  print(storm);
  atMost('the work in 95 of 100 frames at 1,000 ticks a second, in ms,', quantile(storm.frameWorkMs, 0.95), FRAME_AT_100_MS);
  atMost('the growth of the heap at 1,000 ticks a second, in MB a minute,', storm.heapGrowthMbPerMinute, 5);
  const workMs = await measureTapWork(browser, dist);
  const delaysMs = await measureTapDelays(browser, dist);
  console.log(`longest task of a tap, as on a phone four times as slow: ${spread(workMs)}, worst ${Math.max(...workMs).toFixed(1)} ms`);
  console.log(`from a tap to the picture, processor made four times slower: ${spread(delaysMs)}, worst ${Math.max(...delaysMs).toFixed(0)} ms (of ${String(delaysMs.length)} taps longer than 16 ms)`);
  atMost('the longest task of a tap, in ms,', Math.max(...workMs), 100);
} finally {
  await browser.close();
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
