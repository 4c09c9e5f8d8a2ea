// How smoothly 3,000 rows scroll while 100 prices a second change: npm run frames [-- ROWS TICKS_PER_SECOND]
//
// The budget of a frame is 16.7 ms. Judged is the processor time of the main thread, which the browser records for every task,
// times four as on a mid-range phone; its compositor keeps scrolling when the page misses a frame. The time between frames is
// printed too, but on a shared machine without a graphics card it says more about the machine than about the page.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

import { serveManyRows } from './manyRows.ts';
import { countFrames, FRAME_MS, openMeasured, percent, PHONE, spread, traced, workOfFrames } from './trace.ts';

const [rows = 3_000, ticksPerSecond = 100] = process.argv.slice(2).map(Number);
const ROUNDS = 3;
const SCROLL_PX = 24_000;
const SCROLL_PX_PER_S = 3_000;
/** Of what is laid out: of the body. */
const MAX_ELEMENTS = 250;
const MAX_SLOW_FRAMES = 0.01;

interface Measured {
  /** Processor time of the main thread in each frame. */
  workMs: number[];
  /** Time from one frame to the next, as the page sees it. */
  gapsMs: number[];
  elements: number;
  ticks: number;
  seconds: number;
}

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
if (!existsSync(`${dist}index.html`)) throw new Error('there is no build of the client: npm run build');

const product = await serveManyRows(dist, rows, ticksPerSecond);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const rounds: Measured[] = [];
try {
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(browser));
} finally {
  await browser.close();
  product.close();
}

const work = rounds.flatMap(({ workMs }) => workMs);
const gaps = rounds.flatMap(({ gapsMs }) => gapsMs);
const elements = Math.max(...rounds.map((round) => round.elements));
const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
const onPhone = work.map((ms) => ms * PHONE);
const overlong = (values: readonly number[]): number => values.filter((ms) => ms > FRAME_MS).length / values.length;
console.log(`${String(rows)} rows, ${(rounds.reduce((sum, { ticks }) => sum + ticks, 0) / seconds).toFixed(0)} ticks a second, ${String(work.length)} frames while scrolling ${String(SCROLL_PX)} px ${String(ROUNDS)} times`);
console.log(`work of the main thread in a frame: ${spread(work)} of ${FRAME_MS.toFixed(1)} ms; too long: ${percent(overlong(work))}`);
console.log(`the same on a phone four times as slow: ${spread(onPhone)}; too long: ${percent(overlong(onPhone))}`);
console.log(`elements in the page: ${String(elements)}`);
console.log(`time between frames on this machine: ${spread(gaps)}; over 20 ms: ${percent(gaps.filter((ms) => ms > 20).length / gaps.length)}`);

const problems = [
  ...(overlong(work) > MAX_SLOW_FRAMES ? [`more than ${percent(MAX_SLOW_FRAMES)} of the frames need more than ${FRAME_MS.toFixed(1)} ms`] : []),
  ...(elements > MAX_ELEMENTS ? [`more than ${String(MAX_ELEMENTS)} elements are drawn`] : []),
];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** One run: opens the list, starts prices, and scrolls while tracing. */
async function measure(opened: Browser): Promise<Measured> {
  const { context, page, session } = await openMeasured(opened);
  await page.goto(`${product.origin}/invest-v2/stock?tab=kospi`);
  await page.locator(`main li[aria-setsize="${String(rows)}"]`).first().waitFor();
  await page.getByText('실시간', { exact: true }).waitFor();
  await linesAreDrawn(page);
  await page.evaluate(countFrames);
  const ticksBefore = product.ticksSent();
  const startedMs = Date.now();
  const events = await traced(session, () => scroll(session));
  const seconds = (Date.now() - startedMs) / 1_000;
  const ticks = product.ticksSent() - ticksBefore;
  const scrolledPx = await page.evaluate(() => window.scrollY);
  if (scrolledPx < SCROLL_PX * 0.9) throw new Error(`the list was scrolled ${scrolledPx.toFixed(0)} px and not ${String(SCROLL_PX)}`);
  const gapsMs = await page.evaluate(() => (window as unknown as { gaps: number[] }).gaps);
  await linesAreDrawn(page);
  const elements = await elementsOf(page);
  await context.close();
  return { workMs: workOfFrames(events), gapsMs, elements, ticks, seconds };
}

async function scroll(session: CDPSession): Promise<void> {
  // A headless browser treats the wheel like a drag: it draws the same in each frame.
  await session.send('Input.synthesizeScrollGesture', { x: 200, y: 600, yDistance: -SCROLL_PX, speed: SCROLL_PX_PER_S, gestureSourceType: 'mouse' });
}

/** Every row in view has its sparkline, which loads after the rows. */
async function linesAreDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll('main li').length === document.querySelectorAll('main li polyline').length);
}

function elementsOf(page: Page): Promise<number> {
  return page.evaluate(() => document.body.querySelectorAll('*').length);
}
