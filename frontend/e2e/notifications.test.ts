import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buyByApi, type Session } from './support/books';
import { expectAccessible, launchBrowser, openPhone } from './support/browser';
import { unique } from './support/community';
import { api, joinByApi } from './support/member';
import { newMemberOn } from './support/session';

/** A notification reaches an open page within a second; drawing it on a busy machine may take another. */
const SOON_MS = 2_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const tabOf = (page: Page): Locator => page.getByRole('navigation', { name: '주요 메뉴' }).getByRole('link', { name: /^마이/ });

const rowOf = (page: Page, text: string | RegExp): Locator => page.getByRole('main').getByRole('listitem').filter({ hasText: text });

const unreadOf = async ({ memberSid, token }: Session): Promise<number> =>
  (await api.get<{ unread: number }>(`/api/v1/notification/unread/${String(memberSid)}`, token)).unread;

const writePost = ({ memberSid, token }: Session): Promise<{ sid: number }> =>
  api.post('/api/v1/community/post', { memberSid, category: 'FREE', content: unique('오늘 배운 것을 적어봐요') }, token);

const commentOn = ({ memberSid, token }: Session, boardSid: number, content: string): Promise<unknown> =>
  api.post('/api/v1/community/comment', { memberSid, boardSid, content }, token);

const other = async (): Promise<Session & { nickname: string }> => {
  const { memberSid, accessToken, nickname } = await joinByApi();
  return { memberSid, token: accessToken, nickname };
};

/** Waits until the page hears of notifications: its socket is authenticated. */
const openListening = async (page: Page, path: string): Promise<void> => {
  const listening = page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', { predicate: ({ payload }) => payload.toString().includes('AUTH_OK') }),
  );
  await page.goto(path);
  await listening;
};

// H7
test.each([
  ['light', false],
  ['dark', true],
])('a comment of another member is in the badge and the inbox within a second, and read when it is opened, in %s', async (theme, dark) => {
  const { context, page, pageErrors } = await openPhone(browser, { dark });
  const me = await newMemberOn(context);
  const { sid } = await writePost(me);
  const ben = await other();
  // A new member may be told other things first.
  const before = await unreadOf(me);

  // Two pages of the same member: one anywhere, one in the inbox.
  const inbox = await context.newPage();
  await openListening(inbox, '/notifications');
  await openListening(page, '/my');
  if (before === 0) await inbox.getByText('아직 온 알림이 없어요').waitFor();

  const text = unique('저도 그렇게 생각해요');
  await commentOn(ben, sid, text);
  await Promise.all([
    page.getByRole('link', { name: `알림, 읽지 않은 알림 ${String(before + 1)}개` }).waitFor({ timeout: SOON_MS }),
    rowOf(inbox, text).waitFor({ timeout: SOON_MS }),
  ]);
  await tabOf(page).getByText(`읽지 않은 알림 ${String(before + 1)}개`).waitFor({ state: 'attached' });
  const row = rowOf(inbox, text);
  await row.getByText(`${ben.nickname}님이 내 글에 댓글을 남겼어요`).waitFor();
  await row.getByText('읽지 않음').waitFor({ state: 'attached' });
  await inbox.getByRole('heading', { level: 2, name: '오늘' }).waitFor();
  await expectAccessible(inbox);
  await inbox.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => inbox.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await inbox.setViewportSize({ width: 412, height: 915 });
  await inbox.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/notifications-${theme}.png` });

  // Opening it leads to the post, and it is read there and in the count of the other page.
  await row.getByRole('link').tap();
  await inbox.waitForURL(`**/community/detail?communitySid=${String(sid)}`);
  await inbox.getByRole('main').getByText(text).waitFor();
  await expect.poll(() => unreadOf(me)).toBe(before);
  await inbox.goBack();
  await rowOf(inbox, text).waitFor();
  expect(await rowOf(inbox, text).getByText('읽지 않음').count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('a filled order is listed, and everything can be marked as read', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const me = await newMemberOn(context);
  const { sid } = await writePost(me);
  await commentOn(await other(), sid, unique('잘 읽었어요'));
  await openListening(page, '/notifications');
  await rowOf(page, '댓글을 남겼어요').waitFor();

  await buyByApi(me, { code: '005930', qty: 1 });
  const filled = rowOf(page, /삼성전자 1주를/);
  await filled.waitFor();
  expect(await filled.getByRole('link').getAttribute('href')).toBe('/my/orders/history');
  await page.getByRole('button', { name: /^체결/ }).tap();
  await filled.waitFor();
  await expect.poll(() => rowOf(page, '댓글을 남겼어요').count()).toBe(0);

  await page.getByRole('button', { name: '모두 읽음' }).tap();
  await page.getByText('모두 읽었어요').waitFor();
  await expect.poll(() => unreadOf(me)).toBe(0);
  expect(await page.getByRole('main').getByText('읽지 않음').count()).toBe(0);
  await page.goto('/my');
  await page.getByRole('link', { name: '알림', exact: true }).first().waitFor();
  expect(await tabOf(page).innerText()).toBe('마이');
  expect(pageErrors).toEqual([]);
  await context.close();
});

test('what is switched off does not come', async () => {
  const { context, page, pageErrors } = await openPhone(browser);
  const me = await newMemberOn(context);
  const { sid } = await writePost(me);
  await page.goto('/settings');
  await page.getByRole('main').getByRole('link', { name: '알림', exact: true }).tap();
  await page.getByRole('heading', { level: 1, name: '알림' }).waitFor();
  const ofComments = page.getByRole('switch', { name: '내 글의 댓글 알림함' });
  await expectAccessible(page);
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().endsWith('/api/v1/notification/setting'));
  await ofComments.tap();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await expect.poll(() => ofComments.isChecked()).toBe(false);

  await commentOn(await other(), sid, unique('이 댓글은 조용해요'));
  // A comment elsewhere comes later by the same queue, so the first one has been passed over when it is there.
  const ann = await openPhone(browser);
  const witness = await newMemberOn(ann.context);
  const { sid: elsewhere } = await writePost(witness);
  await openListening(ann.page, '/notifications');
  const later = unique('이 댓글은 들려요');
  await commentOn(await other(), elsewhere, later);
  await rowOf(ann.page, later).waitFor();
  await page.goto('/notifications');
  await page.getByText('아직 온 알림이 없어요').waitFor();
  expect(await unreadOf(me)).toBe(0);
  expect([...pageErrors, ...ann.pageErrors]).toEqual([]);
  await ann.context.close();
  await context.close();
});
