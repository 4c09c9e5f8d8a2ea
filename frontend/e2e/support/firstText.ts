// When a page first shows its main content. Used by journeys and by the slow phone measurement.
import type { BrowserContext, Page } from 'playwright-core';

/** Milliseconds since the navigation began; null for what has not been shown. */
export interface TextTimes {
  /** The first visible amount in won: a price on lists and details, the member's money on home. */
  amount: number | null;
  /** When the client, and not the static page, shows an amount. */
  programAmount: number | null;
  /** The largest text or picture so far. */
  largest: number | null;
  firstPaint: number | null;
}

/** Makes every page of the context record its first amount. Call it before opening the page. */
export const recordFirstTexts = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(() => {
    const seen: TextTimes = { amount: null, programAmount: null, largest: null, firstPaint: null };
    (window as unknown as { seen: TextTimes }).seen = seen;
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

/** The records of the page so far. */
export const textTimesOn = (page: Page): Promise<TextTimes> => page.evaluate(() => (window as unknown as { seen: TextTimes }).seen);
