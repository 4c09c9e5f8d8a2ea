import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The row of an instrument in the list that is shown. */
export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });

/** Only the digits and the point of a text: `261,000원` is 261000. */
export const digitsOf = (text: string): string => text.replace(/[^\d.]/g, '');

/** Waits until the text of a place has changed `times` times: prices do move here. */
export const priceMoves = async (place: Locator, times = 1, timeout = 30_000): Promise<void> => {
  for (let seen = 0; seen < times; seen += 1) {
    const now = await place.innerText();
    await expect.poll(() => place.innerText(), { timeout, interval: 100 }).not.toBe(now);
  }
};
