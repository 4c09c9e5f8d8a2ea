import type { BrowserContext, Page } from 'playwright-core';
import type { RunnerTestCase as RunnerTask } from 'vitest';

import { product } from './product';

declare module 'vitest' {
  interface TaskMeta {
    /** What a failed journey had on its screen, in short form. */
    evidence?: string[];
  }
}

const MAX_TEXT = 2_500;
const MAX_REQUESTS = 25;
const SHORT_REQUESTS = 3;
const SHORT_TEXT = 200;

/** Failed and rejected requests, in order; the newest are kept. */
export const watchRequests = (context: BrowserContext): string[] => {
  const failed: string[] = [];
  const startedMs = Date.now();
  const note = (what: string): void => {
    failed.push(`${((Date.now() - startedMs) / 1_000).toFixed(1)} s: ${what}`);
    if (failed.length > MAX_REQUESTS) failed.shift();
  };
  context.on('requestfailed', (request) => note(`${request.method()} ${request.url()} ${request.failure()?.errorText ?? ''}`));
  context.on('response', (response) => {
    if (response.status() >= 400) note(`${response.request().method()} ${response.url()} ${String(response.status())}`);
  });
  return failed;
};

/**
 * Prints the state of a failed journey, so that its log explains it without another run; a short form is kept for the end of
 * the run.
 */
export const reportFailure = async ({ name, meta }: RunnerTask, page: Page, pageErrors: readonly string[], requests: readonly string[]): Promise<void> => {
  const file = `${product.runDir}/log/${name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}.png`;
  const picture = await page.screenshot({ path: file, fullPage: true, timeout: 10_000 }).then(
    () => file,
    () => 'none: the page is gone',
  );
  const text = await page
    .evaluate(() => {
      const dialogs = [...document.querySelectorAll('dialog[open]')].map((dialog) => `[dialog] ${(dialog as HTMLElement).innerText}`);
      return [...dialogs, document.body.innerText].join('\n');
    })
    .catch(() => 'none: the page is gone');
  const said = text.slice(0, MAX_TEXT).split('\n').filter((line) => line.trim() !== '');
  meta.evidence = [
    ...(meta.evidence ?? []),
    `at ${page.url()}: ${[...pageErrors, ...requests].slice(-SHORT_REQUESTS).join(' | ') || 'nothing rejected'}`,
    `shown: ${said.join(' ').slice(0, SHORT_TEXT)}`,
  ];
  const lines = [
    '',
    `journey failed: ${name}`,
    `  address: ${page.url()}`,
    `  picture: ${picture}`,
    `  pageErrors: ${pageErrors.join(' | ') || 'none'}`,
    `  rejected or failed requests: ${requests.length === 0 ? 'none' : ''}`,
    ...requests.map((request) => `    ${request}`),
    '  the page says:',
    ...said.map((line) => `    ${line}`),
    '',
  ];
  process.stderr.write(lines.join('\n'));
};
