// When a page first shows what a person came for. Used by journeys and by the measurement of a slow phone alike.
import type { BrowserContext, Page } from 'playwright-core';

/** Milliseconds after the navigation began; null for what has not come yet. */
export interface Seen {
  /** The first visible amount in won: a price on lists and details, the member's money at home. */
  amount: number | null;
  /** Where the program itself, and not the page of the server, shows an amount. */
  programAmount: number | null;
  /** The largest text or picture so far. */
  largest: number | null;
  firstPaint: number | null;
}

/** Has every page of the context note when it shows an amount. Call before the page is opened. */
export const noteFirstTexts = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(() => {
    const seen: Seen = { amount: null, programAmount: null, largest: null, firstPaint: null };
    (window as unknown as { seen: Seen }).seen = seen;
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.largest = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') seen.firstPaint = startTime;
    }).observe({ type: 'paint', buffered: true });
    const amounts = /\d원|\$\d/;
    const isShown = (): boolean => {
      const main = document.querySelector('main');
      if (!main || !amounts.test(main.textContent)) return false;
      const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (amounts.test(node.textContent ?? '') && node.parentElement?.checkVisibility() === true) return true;
      }
      return false;
    };
    const look = (): void => {
      const isProgram = document.querySelector('main#main') !== null;
      if ((seen.amount === null || (seen.programAmount === null && isProgram)) && isShown()) {
        seen.amount ??= performance.now();
        if (isProgram) seen.programAmount ??= performance.now();
      }
      if (seen.programAmount === null) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
};

/** What the page has noted so far. */
export const seenOn = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen);
