import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type Axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';

import { reportFailure, watchRequests } from './evidence';
import { product } from './product';

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Letters as wide as on a phone.
      '--font-render-hinting=none',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Chromium without any feature that uses the network on its own, in the build without a user interface, which needs less processor time. */
export const launchBrowser = (): Promise<Browser> => launch(process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell');

/** The usual build: it shows notifications, and lays a page out at most once a frame. */
export const launchWholeBrowser = (): Promise<Browser> => launch(process.env.CHROMIUM ?? '/usr/bin/chromium');

export interface Phone {
  context: BrowserContext;
  page: Page;
  /** Console errors, uncaught exceptions and blocked resources, in order. */
  pageErrors: string[];
}

interface PhoneOptions extends Pick<BrowserContextOptions, 'userAgent' | 'timezoneId' | 'serviceWorkers' | 'reducedMotion' | 'forcedColors'> {
  dark?: boolean;
  height?: number;
  /** Allows the install offer, which would interrupt other journeys. */
  offersApp?: boolean;
}

/** A phone: its own cookies and storage, Korean, in Seoul. */
export const openPhone = async (
  browser: Browser,
  { dark = false, height = 915, offersApp = false, ...options }: PhoneOptions = {},
): Promise<Phone> => {
  const context = await browser.newContext({
    baseURL: product.origin,
    viewport: { width: 412, height },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    colorScheme: dark ? 'dark' : 'light',
    // A service worker would answer requests that a journey breaks on purpose.
    serviceWorkers: 'block',
    ...options,
  });
  if (!offersApp) {
    await context.addInitScript(() => {
      if (location.origin !== 'null') sessionStorage.setItem('app-install-shown', '1');
    });
  }
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // Several journeys test rejected requests, which the page shows to the member.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource') && !text.includes('WebSocket connection')) {
      pageErrors.push(text);
    }
  });
  const requests = watchRequests(context);
  onTestFailed(({ task }) => reportFailure(task, page, pageErrors, requests));
  return { context, page, pageErrors };
};

/** Waits for animations and transitions; spinners and pulses never end and are ignored. */
export const animationsFinished = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });

/** Expects no violation of WCAG 2.2 AA or axe's best practices on the current page. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.evaluate(axeSource);
  await animationsFinished(page);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const result = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return result.violations.map(
      (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(' | ')}`,
    );
  });
  expect(violations).toEqual([]);
};

/** No axe violation, and nothing beside the edge of a small phone. */
export const expectSound = async (page: Page): Promise<void> => {
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() }).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 412, height: 915 });
};

/** Closes phones on which no script has failed. */
export const closed = async (...phones: Phone[]): Promise<void> => {
  for (const { context, pageErrors } of phones) {
    expect(pageErrors).toEqual([]);
    await context.close();
  }
};
