import type { Locator, Page } from 'playwright-core';

/** A text of its own: the product does not accept the same one twice. */
export const unique = (words: string): string => `${words} ${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

/** The post or comment with this text. */
export const article = (page: Page, text: string): Locator => page.getByRole('main').getByRole('article').filter({ hasText: text });
