import { readFileSync } from 'node:fs';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { joinByApi } from './support/member';
import { moderate } from './support/operator';
import { product } from './support/product';

/** Markup that would run something if a text were taken for markup anywhere; the service's tests store each of it. */
const MARKUP = readFileSync(new URL('../../services/main/community/tests/data/markup.txt', import.meta.url), 'utf8').trim().split('\n');
/** The service refuses addresses that run something in posts and comments. */
const STORED = MARKUP.filter((markup) => !/javascript:|data:text/i.test(markup));

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Lines of markup, as many together as a text holds. */
const packed = (lines: readonly string[], longest: number): string[] => {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= longest) texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts;
};

interface Writer {
  memberSid: number;
  token: string;
}

/** The API's answer, whatever it is. */
const send = async (path: string, { token }: Writer, body: object): Promise<{ status: number; sid: number }> => {
  const response = await fetch(`${product.origin}/api/v1/community/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const { sid = 0 } = (await response.json()) as { sid?: number };
  return { status: response.status, sid };
};

const newWriter = async (): Promise<Writer> => {
  const { memberSid, accessToken } = await joinByApi();
  return { memberSid, token: accessToken };
};

/** Fails when anything has run: dialogs are taken over, and a blocked script is an error of the page. */
const watch = async (page: Page): Promise<string[]> => {
  const ran: string[] = [];
  await page.exposeFunction('ranHere', (what: string) => ran.push(what));
  await page.addInitScript(() => {
    for (const name of ['alert', 'confirm', 'prompt'] as const) {
      Object.defineProperty(window, name, { value: () => void (window as unknown as { ranHere: (what: string) => void }).ranHere(name) });
    }
  });
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  return ran;
};

/** Everything that is shown, as it was written. */
const textsOf = (page: Page): Promise<string> =>
  page.getByRole('main').evaluate((main) => [...main.querySelectorAll('article p, section p, blockquote p')].map(({ textContent }) => textContent).join('\n'));

const NOTHING_MADE = ['script', 'iframe', 'object', 'embed', 'form', 'base', 'meta', 'link', 'style', 'video', 'audio', 'math', 'marquee', 'template', '[onerror]', '[onload]', '[onclick]', '[onfocus]', '[src="x"]', '[href^="javascript:"]'];

const expectNothingMade = async (page: Page): Promise<void> => {
  for (const made of NOTHING_MADE) expect(await page.getByRole('main').locator(made).count(), made).toBe(0);
};

/** Moves, scrolls and tabs over everything, since some markup waits for that. */
const wander = async (page: Page): Promise<void> => {
  for (let step = 0; step < 12; step += 1) {
    await page.mouse.move(40 + step * 25, 120 + step * 50);
    await page.mouse.wheel(0, 400);
    await page.keyboard.press('Tab');
  }
};

interface Text {
  kind: 'POST' | 'COMMENT';
  sid: number;
  text: string;
  author: Writer;
}

const openAs = async (page: Page, { memberSid, token }: Writer, sid: number): Promise<void> => {
  await page.context().clearCookies();
  await page.context().addCookies([
    { name: 'access_token', value: token, url: product.origin },
    { name: 'memberSid', value: String(memberSid), url: product.origin },
  ]);
  await page.goto(`/community/detail?communitySid=${String(sid)}`);
  await page.getByRole('main').getByRole('article').first().waitFor();
};

test('a hundred pieces of markup in every field are shown as written, and none of them runs', async () => {
  expect(STORED.length).toBeGreaterThanOrEqual(100);
  const { page, context, pageErrors } = await openPhone(browser);
  const ran = await watch(page);
  const authors = [await newWriter(), await newWriter(), await newWriter()] as const;
  const authorOf = (index: number): Writer => authors[(index % 3) as 0 | 1 | 2];

  const posts: Text[] = [];
  for (const [index, text] of packed(STORED, 1_900).entries()) {
    const author = authorOf(index);
    const { status, sid } = await send('post', author, { memberSid: author.memberSid, category: 'FREE', content: text });
    expect(status, text).toBe(200);
    posts.push({ kind: 'POST', sid, text, author });
  }
  const [ground] = posts;
  if (!ground) throw new Error('nothing was written');
  const comments: Text[] = [];
  for (const [index, text] of packed(STORED, 400).entries()) {
    const author = authorOf(index);
    const { status, sid } = await send('comment', author, { memberSid: author.memberSid, boardSid: ground.sid, content: text });
    expect(status, text).toBe(200);
    comments.push({ kind: 'COMMENT', sid, text, author });
  }
  // Tags name instruments: nothing else is taken for one.
  for (let at = 0; at < MARKUP.length; at += 5) {
    const tags = MARKUP.slice(at, at + 5).map((code) => ({ code, isHeld: false }));
    const { status } = await send('post', ground.author, { memberSid: ground.author.memberSid, category: 'FREE', content: '태그가 이상한 글', tags });
    expect([400, 422]).toContain(status);
  }

  for (const { sid, text } of posts) {
    await page.goto(`/community/detail?communitySid=${String(sid)}`);
    await expect.poll(() => textsOf(page), { timeout: 10_000 }).toContain(text);
    await wander(page);
    await expectNothingMade(page);
  }
  await page.goto(`/community/detail?communitySid=${String(ground.sid)}`);
  for (const { text } of comments) await expect.poll(() => textsOf(page), { timeout: 10_000 }).toContain(text);
  await wander(page);
  await expectNothingMade(page);
  await page.goto('/community');
  await page.getByRole('main').getByRole('article').first().waitFor();
  await wander(page);
  await expectNothingMade(page);

  // The editor quotes the text, and takes a name from its address.
  await openAs(page, ground.author, ground.sid);
  await page.goto(`/community/new?boardSid=${String(ground.sid)}&isComment=true`);
  await page.getByRole('textbox', { name: '내용' }).waitFor();
  await expectNothingMade(page);
  for (const name of MARKUP.slice(0, 20)) {
    await page.goto(`/community/new?${new URLSearchParams({ code: '005930', name }).toString()}`);
    await page.getByText(`$${name}`, { exact: true }).waitFor();
    await expectNothingMade(page);
  }

  // Reports are read by moderators, who see the texts, too.
  const targets = [...comments, ...posts];
  const reports = packed(MARKUP, 290);
  const reporters = [await newWriter(), await newWriter()] as const;
  expect(reports.length).toBeLessThanOrEqual(2 * targets.length);
  for (const [index, text] of reports.entries()) {
    const target = targets[index % targets.length] ?? ground;
    const reporter = reporters[index < targets.length ? 0 : 1];
    const { status } = await send('report', reporter, { memberSid: reporter.memberSid, kind: target.kind, sid: target.sid, reason: 'OTHER', text });
    expect(status, text).toBe(200);
    const printed = moderate('show', target.kind.toLowerCase(), String(target.sid));
    expect(printed).toContain(text.replaceAll('\n', ' '));
    for (const line of target.text.split('\n')) expect(printed).toContain(`  | ${line}`);
  }

  // Appeals are read by moderators and their authors, reasons by authors.
  const appeals = packed(MARKUP, 490);
  expect(appeals.length).toBeLessThanOrEqual(targets.length);
  for (const [index, text] of appeals.entries()) {
    const { kind, sid, author } = targets[index] ?? ground;
    const reason = MARKUP[index] ?? '';
    moderate('restrict', kind.toLowerCase(), String(sid), '--version', '1', '--operator', 'journey', `--reason=${reason}`);
    const { status } = await send('appeal', author, { memberSid: author.memberSid, kind, sid, text });
    expect(status, text).toBe(200);
    const printed = moderate('show', kind.toLowerCase(), String(sid));
    expect(printed).toContain(text.split('\n').map((line) => `  | ${line}`).join('\n'));
    await openAs(page, author, kind === 'POST' ? sid : ground.sid);
    await expect.poll(() => textsOf(page), { timeout: 10_000 }).toContain(text);
    expect(await textsOf(page)).toContain(reason);
    await wander(page);
    await expectNothingMade(page);
  }
  expect(ran).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
}, 600_000);
