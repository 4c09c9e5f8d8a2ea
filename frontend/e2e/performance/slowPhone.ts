// What a slow phone shows, and when: node e2e/performance/slowPhone.ts ORIGIN [RUNS]
//
// The line has 400 kbit/s and 400 ms of latency; the processor is four times slower. Each screen is opened with an empty cache.
// Home is opened by a returning member, because it starts with the last known data. Measured by the clock, so the machine must
// be idle; `firstPrice.test.ts` checks the causes on a busy one.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { recordFirstTexts, type TextTimes, textTimesOn } from '../support/firstText.ts';

const [origin = '', runs = 3] = process.argv.slice(2).map((value, index) => (index === 1 ? Number(value) : value)) as [string?, number?];
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PROCESSOR = 4;
const TIMEOUT_MS = 60_000;

interface Screen {
  name: string;
  path: string;
  isMember?: boolean;
  /** The limits in milliseconds until an amount is shown, and until the largest text is. */
  amount: number;
  largest?: number;
}

const SCREENS: readonly Screen[] = [
  { name: 'list', path: '/invest-v2/stock', amount: 2_500, largest: 3_000 },
  { name: 'list, member', path: '/invest-v2/stock', isMember: true, amount: 2_500, largest: 3_000 },
  { name: 'coins', path: '/invest-v2/coin', amount: 2_500, largest: 3_000 },
  { name: 'detail', path: '/invest-v2/stock/005930', amount: 2_500 },
  { name: 'detail, member', path: '/invest-v2/stock/005930', isMember: true, amount: 2_500 },
  { name: 'coin', path: '/invest-v2/coin/KRW-BTC?refMarketCode=coin', amount: 2_500 },
  { name: 'home', path: '/home', isMember: true, amount: 2_000 },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const problems: string[] = [];
try {
  for (const screen of SCREENS) {
    const visits: TextTimes[] = [];
    for (let run = 0; run < runs; run += 1) visits.push(await visit(browser, screen));
    const amount = median(visits.map((seen) => seen.amount));
    const largest = median(visits.map((seen) => seen.largest));
    console.log(
      `${screen.name}: first paint ${seconds(median(visits.map((seen) => seen.firstPaint)))}, first amount ${seconds(amount)}, largest text ${seconds(largest)}, program ${seconds(median(visits.map((seen) => seen.programAmount)))}`,
    );
    if (amount > screen.amount) problems.push(`${screen.name}: the first amount comes after ${seconds(amount)}, not ${seconds(screen.amount)}`);
    if (largest > (screen.largest ?? Infinity)) problems.push(`${screen.name}: the largest text comes after ${seconds(largest)}`);
  }
} finally {
  await browser.close();
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

async function visit(opened: Browser, screen: Screen): Promise<TextTimes> {
  const context = await opened.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    serviceWorkers: 'block',
  });
  await recordFirstTexts(context);
  if (screen.isMember === true) await signIn(context);
  const page = await context.newPage();
  if (screen.isMember === true) await visitBefore(page, screen.path);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR });
  await page.goto(`${origin}${screen.path}`, { waitUntil: 'commit', timeout: TIMEOUT_MS });
  await page.waitForFunction(() => ((window as unknown as { seen?: TextTimes }).seen?.programAmount ?? 0) > 0, undefined, { timeout: TIMEOUT_MS });
  const seen = await textTimesOn(page);
  await context.close();
  return seen;
}

/** A new member, signed in through the client's cookies. */
async function signIn(context: BrowserContext): Promise<void> {
  const unique = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  const reply = await fetch(`${origin}/api/v1/auth/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `slow-${unique}@example.com`,
      password: `처음 심는 씨앗 ${unique}`,
      nickname: `느린${unique.slice(-6)}`,
      birthYear: 1995,
      termsAgreed: true,
      privacyAgreed: true,
      age14: true,
    }),
  });
  if (!reply.ok) throw new Error(`joining answered ${String(reply.status)}: ${await reply.text()}`);
  const { memberSid, accessToken } = (await reply.json()) as { memberSid: number; accessToken: string };
  await context.addCookies([
    { name: 'access_token', value: accessToken, url: origin },
    { name: 'memberSid', value: String(memberSid), url: origin },
  ]);
  await context.addInitScript((sid) => localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup'), memberSid);
}

/** The earlier visit, at full speed, until the page has stored its data. */
async function visitBefore(page: Page, path: string): Promise<void> {
  await page.goto(`${origin}${path}`);
  await page.waitForFunction(() => localStorage.getItem('last-known') !== null, undefined, { timeout: TIMEOUT_MS });
  await page.goto('about:blank');
}

function median(values: readonly (number | null)[]): number {
  const sorted = values.map((value) => value ?? Infinity).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
