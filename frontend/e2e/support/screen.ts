import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { eventually } from './processes';

/** The row of an instrument in the current list. */
export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });

/** The digits and the point of a text: `261,000원` is 261000. */
export const digitsOf = (text: string): string => text.replace(/[^\d.]/g, '');

/** Waits until a text has changed `times` times. */
export const priceMoves = async (place: Locator, times = 1, timeout = 30_000): Promise<void> => {
  for (let seen = 0; seen < times; seen += 1) {
    const now = await place.innerText();
    await expect.poll(() => place.innerText(), { timeout, interval: 100 }).not.toBe(now);
  }
};

/** Types into a field until it holds the text: input is lost while a dialog above it is closing. */
export const fillIn = (field: Locator, text: string): Promise<void> =>
  eventually(`the field holds '${text}'`, async () => {
    await field.fill(text, { timeout: 5_000 });
    return (await field.inputValue()) === text;
  });
