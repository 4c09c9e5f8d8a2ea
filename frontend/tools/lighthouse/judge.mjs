// Lighthouse for phones on screens of a running product: node judge.mjs ORIGIN RUNS PATH...
// Prints the median of each figure and fails when a category of a screen is below what it must have.
//
// Lighthouse takes the time between a task's begin and end for the page's work and makes it four times as long. On a machine
// that others use, most of that time the task waits for a processor. The browser notes the processor time of every task
// beside it, so the trace is judged twice: as it was on the clock, and with the waiting taken out. The second one counts.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as chromeLauncher from 'chrome-launcher';
import lighthouse from 'lighthouse';

const REQUIRED = { performance: 0.97, accessibility: 1, 'best-practices': 1, seo: 1 };
const CATEGORIES = Object.keys(REQUIRED);
const TIMES = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  SI: 'speed-index',
};
// A page that was given no processor at all paints nothing, and the run says nothing about it.
const TRIES_PER_RUN = 4;

const [origin, runs, ...paths] = process.argv.slice(2);
const flags = { logLevel: 'silent', onlyCategories: CATEGORIES };
const problems = [];

for (const path of paths) {
  const judged = [];
  for (let run = 0; run < Number(runs); run += 1) judged.push(await judge(`${origin}${path}`));
  for (const kind of ['clock', 'processor']) {
    const reports = judged.map((both) => both[kind]);
    const scores = CATEGORIES.map((name) => [name, median(reports.map((report) => report.categories[name].score))]);
    const times = Object.entries(TIMES).map(([name, id]) => `${name} ${Math.round(median(reports.map((report) => report.audits[id].numericValue)))} ms`);
    const shift = median(reports.map((report) => report.audits['cumulative-layout-shift'].numericValue));
    console.log(`${path} by the ${kind}: ${scores.map(([name, score]) => `${name} ${score}`).join(', ')}; ${times.join(', ')}, CLS ${shift.toFixed(3)}`);
    if (kind === 'clock') continue;
    for (const [name, score] of scores) if (score < REQUIRED[name]) problems.push(`${path}: ${name} is ${score}, below ${REQUIRED[name]}`);
    // Of all visits: what fails once, such as a line in the console, is not in the last one.
    for (const failing of new Set(reports.flatMap(auditsBelow))) console.log(`  ${failing}`);
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

/** One visit with an empty cache, judged by the clock and by the processor. */
async function judge(url) {
  for (let attempt = 1; ; attempt += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'seedup-lighthouse-'));
    try {
      const chrome = await chromeLauncher.launch({
        chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--lang=ko-KR'],
        logLevel: 'silent',
      });
      await lighthouse(url, { ...flags, port: chrome.port, gatherMode: folder }).finally(() => chrome.kill());
      const clock = await read(url, folder);
      takeWaitingOut(folder);
      const processor = await read(url, folder);
      if (typeof processor.categories.performance.score === 'number') return { clock, processor };
      if (attempt === TRIES_PER_RUN) throw new Error(`${url}: ${processor.runtimeError?.message ?? 'nothing was painted'}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function read(url, folder) {
  const { lhr } = await lighthouse(url, { ...flags, auditMode: folder });
  return lhr;
}

/** Gives every event of the main threads its processor time for its time, and moves what is inside accordingly. */
function takeWaitingOut(folder) {
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('trace.json')));
  const trace = JSON.parse(readFileSync(file, 'utf8'));
  const threadOf = ({ pid, tid }) => `${pid}:${tid}`;
  const named = trace.traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  for (const thread of new Set(named.map(threadOf))) {
    const events = trace.traceEvents
      .filter((event) => threadOf(event) === thread && event.tts !== undefined)
      .sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
    let task = null;
    for (const event of events) {
      const end = event.ts + (event.dur ?? 0);
      if (task === null || event.ts >= task.end) {
        if (event.ph === 'X' && event.dur > 0) task = { ts: event.ts, tts: event.tts, end };
      } else {
        event.ts = task.ts + Math.max(0, event.tts - task.tts);
      }
      if (event.ph === 'X' && event.tdur !== undefined) event.dur = Math.min(event.dur ?? 0, event.tdur);
    }
  }
  writeFileSync(file, JSON.stringify(trace));
}

function auditsBelow({ categories, audits }) {
  return CATEGORIES.filter((name) => categories[name].score < REQUIRED[name]).flatMap((name) =>
    categories[name].auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
      .map(({ id }) => `${name}: ${id} ${audits[id].score} ${audits[id].displayValue ?? ''} ${named(audits[id])}`.trim()),
  );
}

/** What an audit found: the text and the place of each line in the console, of each issue. */
function named({ details }) {
  const items = details?.items ?? [];
  return items.flatMap(({ description, issueType, sourceLocation }) => description ?? issueType ?? sourceLocation?.url ?? []).join(' | ');
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
