import { readFileSync } from 'node:fs';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launchBrowser, openPhone } from './support/browser';
import { api, joinByApi } from './support/member';
import { moderate } from './support/operator';
import { product } from './support/product';
import { signIn } from './support/session';

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

test('a hundred pieces of markup in every field are shown as written, and none of them runs', async () => {
  expect(STORED.length).toBeGreaterThanOrEqual(100);
  const phone = await openPhone(browser);
  const { page, context } = phone;
  const ran = await watch(page);
  const reader = await signIn(context, await joinByApi());

  // Posts and comments: a new member writes three posts and ten comments.
  const posts: { sid: number; text: string; author: Writer }[] = [];
  for (const text of packed(STORED, 1_900)) {
    const author = await newWriter();
    const { status, sid } = await send('post', author, { memberSid: author.memberSid, category: 'FREE', content: text });
    expect(status, text).toBe(200);
    posts.push({ sid, text, author });
  }
  const ground = posts[0];
  if (!ground) throw new Error('nothing was written');
  const comments = packed(STORED, 480);
  let writer = await newWriter();
  for (const [index, text] of comments.entries()) {
    if (index % 8 === 7) writer = await newWriter();
    const { status } = await send('comment', writer, { memberSid: writer.memberSid, boardSid: ground.sid, content: text });
    expect(status, text).toBe(200);
  }
  // Tags name instruments: nothing else is taken for one.
  for (let at = 0; at < MARKUP.length; at += 5) {
    const tags = MARKUP.slice(at, at + 5).map((code) => ({ code, isHeld: false }));
    const { status } = await send('post', writer, { memberSid: writer.memberSid, category: 'FREE', content: '태그가 이상한 글', tags });
    expect([400, 422]).toContain(status);
  }

  for (const { sid, text } of posts) {
    await page.goto(`/community/detail?communitySid=${String(sid)}`);
    await page.getByRole('main').getByRole('article').first().waitFor();
    await expect.poll(() => textsOf(page)).toContain(text);
    await wander(page);
    await expectNothingMade(page);
  }
  await page.goto(`/community/detail?communitySid=${String(ground.sid)}`);
  for (const text of comments) {
    await expect
      .poll(async () => {
        const more = page.getByRole('button', { name: '댓글 더 보기' });
        if ((await more.count()) > 0) await more.tap().catch(() => undefined);
        return textsOf(page);
      })
      .toContain(text);
  }
  await wander(page);
  await expectNothingMade(page);
  await page.goto('/community');
  await page.getByRole('main').getByRole('article').first().waitFor();
  await wander(page);
  await expectNothingMade(page);

  // The editor quotes the text and takes a name from its address.
  await page.goto(`/community/new?boardSid=${String(ground.sid)}&isComment=true`);
  await page.getByRole('textbox', { name: '내용' }).waitFor();
  await expectNothingMade(page);
  for (const name of MARKUP.slice(0, 20)) {
    await page.goto(`/community/new?${new URLSearchParams({ code: '005930', name }).toString()}`);
    await page.getByRole('textbox', { name: '내용' }).waitFor();
    await expectNothingMade(page);
  }

  // Reports and appeals are read by moderators, appeals also by their author.
  const reported = packed(MARKUP, 290);
  for (const text of reported) {
    const reporter = await newWriter();
    const { status } = await send('report', reporter, { memberSid: reporter.memberSid, kind: 'POST', sid: ground.sid, reason: 'OTHER', text });
    expect(status, text).toBe(200);
  }
  const printed = moderate('show', 'post', String(ground.sid));
  for (const text of reported) expect(printed).toContain(text.replaceAll('\n', ' '));
  for (const line of ground.text.split('\n')) expect(printed).toContain(`  | ${line}`);

  for (const [index, text] of packed(MARKUP, 490).entries()) {
    const author = index === 0 ? ground.author : await newWriter();
    const post = index === 0 ? ground.sid : (await send('post', author, { memberSid: author.memberSid, category: 'FREE', content: `가려질 글 ${String(index)} ${Date.now().toString(36)}` })).sid;
    moderate('restrict', 'post', String(post), '--version', '1', '--operator', 'journey', '--reason', MARKUP[index] ?? '요청이 있었어요');
    const { status } = await send('appeal', author, { memberSid: author.memberSid, kind: 'POST', sid: post, text });
    expect(status, text).toBe(200);
    expect(moderate('show', 'post', String(post))).toContain(text.split('\n').map((line) => `  | ${line}`).join('\n'));
    await context.clearCookies();
    await context.addCookies([
      { name: 'access_token', value: author.token, url: product.origin },
      { name: 'memberSid', value: String(author.memberSid), url: product.origin },
    ]);
    await page.goto(`/community/detail?communitySid=${String(post)}`);
    await expect.poll(() => textsOf(page)).toContain(text);
    expect(await textsOf(page)).toContain(MARKUP[index]);
    await wander(page);
    await expectNothingMade(page);
  }
  expect(ran).toEqual([]);
  expect(phone.pageErrors).toEqual([]);
  expect(reader.memberSid).toBeGreaterThan(0);
  expect(await api.get(`/api/v1/community/list`)).toBeTruthy();
  await context.close();
}, 600_000);
