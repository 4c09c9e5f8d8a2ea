// Visual regression of the screens: node e2e/performance/pictures.ts ORIGIN FOLDER
//
// The first run stores the pictures, the API replies and the time in FOLDER. A later run gets the same replies at the same
// time, so that only the client can differ: more than one pixel in a thousand fails, and the new picture is stored next to the
// old one. Delete the folder to start over.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Browser, chromium, type Page } from 'playwright-core';

const [origin = '', folder = ''] = process.argv.slice(2);
/** Until rolling figures have come to rest. */
const SETTLE_MS = 2_000;
const MAX_DIFFERENT = 0.001;
/** Differences per channel that are not visible. */
const UNSEEN = 8;
const SIZES = [
  { width: 390, height: 844 },
  { width: 360, height: 740 },
];
const THEMES = ['light', 'dark'] as const;

const VISITORS = [
  '/', '/login', '/join', '/password/reset', '/terms', '/privacy', '/market-trend', '/nowhere',
  '/invest-v2/stock', '/invest-v2/stock?tab=etf', '/invest-v2/stock?tab=kospi', '/invest-v2/stock?tab=us', '/invest-v2/stock?tab=liked',
  '/invest-v2/coin', '/invest-v2/coin?tab=all', '/invest-v2/gold', '/invest-v2/product',
  '/invest-v2/stock/005930', '/invest-v2/stock/AAPL', '/invest-v2/stock-etf/069500', '/invest-v2/coin/KRW-BTC?refMarketCode=coin', '/invest-v2/gold/04020000',
];
const MEMBERS = [
  '/home', '/my', '/my/holdings', '/my/account', '/my/dividends', '/my/likes', '/my/orders/history', '/my/orders/wait',
  '/settings', '/settings/profile', '/settings/password', '/settings/email', '/settings/notifications', '/notifications', '/invest-v2/stock?tab=held',
];

const memory = join(folder, 'visit.json');
const isFirst = !existsSync(memory);
mkdirSync(folder, { recursive: true });
const visit = isFirst ? { at: Date.now(), session: await joinNew() } : (JSON.parse(readFileSync(memory, 'utf8')) as { at: number; session: Session });

interface Session {
  memberSid: number;
  accessToken: string;
}

const problems: string[] = [];
let seen = 0;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'] });
try {
  const comparing = await browser.newPage();
  for (const theme of THEMES) {
    for (const size of SIZES) {
      await look(browser, comparing, theme, size, false, VISITORS);
      await look(browser, comparing, theme, size, true, MEMBERS);
    }
  }
  if (isFirst) writeFileSync(memory, JSON.stringify(visit));
} finally {
  await browser.close();
}
console.log(isFirst ? `${String(seen)} pictures are kept in ${folder}` : `${String(seen)} pictures were compared, ${String(problems.length)} differ`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

async function look(opened: Browser, comparing: Page, theme: (typeof THEMES)[number], size: (typeof SIZES)[number], isMember: boolean, paths: readonly string[]): Promise<void> {
  const context = await opened.newContext({
    viewport: size,
    isMobile: true,
    hasTouch: true,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    colorScheme: theme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  const kind = `${theme}-${String(size.width)}-${isMember ? 'member' : 'visitor'}`;
  await context.clock.setFixedTime(visit.at);
  await context.addInitScript((sid) => {
    sessionStorage.setItem('app-install-shown', '1');
    localStorage.setItem(`first-visit-${String(sid)}`, 'tutorial welcomePopup');
  }, visit.session.memberSid);
  if (isMember) {
    await context.addCookies([
      { name: 'access_token', value: visit.session.accessToken, url: origin },
      { name: 'memberSid', value: String(visit.session.memberSid), url: origin },
    ]);
  }
  // Prices are frozen: embedded ones and those of the socket are current.
  await context.routeWebSocket(/.*/, () => undefined);
  await context.route((url) => !url.pathname.startsWith('/api/') && !/\.\w+$/.test(url.pathname), async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/(id="?first-prices"?[^>]*>)[^<]*/, '$1') });
  });
  await context.routeFromHAR(join(folder, `${kind}.har`), { url: /\/api\//, update: isFirst, updateContent: 'embed', notFound: 'abort' });
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(`${origin}${path}`);
    await page.waitForLoadState('networkidle');
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    await page.waitForTimeout(SETTLE_MS);
    const picture = await page.screenshot({ animations: 'disabled' });
    const name = `${kind}${path.replaceAll(/\W+/g, '-')}`;
    const kept = join(folder, `${name}.png`);
    seen += 1;
    if (isFirst) {
      writeFileSync(kept, picture);
      continue;
    }
    const share = existsSync(kept) ? await difference(comparing, readFileSync(kept), picture) : 1;
    if (share <= MAX_DIFFERENT) continue;
    writeFileSync(join(folder, `${name}.new.png`), picture);
    problems.push(`${name}: ${(share * 100).toFixed(2)} % of the pixels differ`);
  }
  await context.close();
}

/** The share of differing pixels; all of them when the sizes differ. */
function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async ([pictures, unseen]) => {
      const [first, second] = await Promise.all(
        pictures.map(async (picture) => {
          const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const drawing = canvas.getContext('2d');
          drawing?.drawImage(bitmap, 0, 0);
          return drawing?.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (!first || !second || first.width !== second.width || first.height !== second.height) return 1;
      let different = 0;
      for (let pixel = 0; pixel < first.data.length; pixel += 4) {
        const isOther = [0, 1, 2].some((channel) => Math.abs((first.data[pixel + channel] ?? 0) - (second.data[pixel + channel] ?? 0)) > unseen);
        if (isOther) different += 1;
      }
      return different / (first.width * first.height);
    },
    [[one.toString('base64'), other.toString('base64')], UNSEEN] as const,
  );
}

/** A new member, to whom the stored replies belong. */
async function joinNew(): Promise<Session> {
  const unique = Date.now().toString(36);
  const reply = await fetch(`${origin}/api/v1/auth/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `pictures-${unique}@example.com`,
      password: `처음 심는 씨앗 ${unique}`,
      nickname: `사진${unique.slice(-6)}`,
      birthYear: 1995,
      termsAgreed: true,
      privacyAgreed: true,
      age14: true,
    }),
  });
  if (!reply.ok) throw new Error(`joining answered ${String(reply.status)}: ${await reply.text()}`);
  return (await reply.json()) as Session;
}
