import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closed, expectSound, launchBrowser, openPhone } from './support/browser';
import { article, unique } from './support/community';
import { api } from './support/member';
import { moderate } from './support/operator';
import { eventually } from './support/processes';
import { fillIn } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const picture = (page: Page, name: string) => page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/moderation-${name}.png` });

interface Writer {
  memberSid: number;
  token: string;
}

const writePost = async ({ memberSid, token }: Writer, content: string): Promise<number> =>
  (await api.post<{ sid: number }>('/api/v1/community/post', { memberSid, category: 'FREE', content }, token)).sid;

const writeComment = async ({ memberSid, token }: Writer, boardSid: number, content: string): Promise<number> =>
  (await api.post<{ sid: number }>('/api/v1/community/comment', { memberSid, boardSid, content }, token)).sid;

const report = ({ memberSid, token }: Writer, kind: 'POST' | 'COMMENT', sid: number) =>
  api.post('/api/v1/community/report', { memberSid, kind, sid, reason: 'SPAM', text: '광고 같아요' }, token);

/** All pages of a list. */
const listed = (what: 'held' | 'reported' | 'appealed'): string => {
  let all = '';
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const page = moderate('list', what, '--after', after);
    all += page;
    after = /^next page: --after (\d+)$/m.exec(page)?.[1];
  }
  return all;
};

const decide = (decision: string, kind: 'post' | 'comment', sid: number, reason: string): string =>
  moderate(decision, kind, String(sid), '--version', '1', '--operator', 'journey', '--reason', reason);

const openPost = async (page: Page, sid: number, text: string): Promise<void> => {
  await page.goto(`/community/detail?communitySid=${String(sid)}`);
  await article(page, text).waitFor();
};

const isSeenByAll = (sid: number): Promise<boolean> =>
  api.get(`/api/v1/community/get-post-detail?sid=${String(sid)}`).then(
    () => true,
    () => false,
  );

test.each([
  ['light', false],
  ['dark', true],
])('a text is reported, hidden by a decision, appealed and shown again, in %s', async (theme, dark) => {
  const ann = await openPhone(browser, { dark });
  const ben = await openPhone(browser, { dark });
  const author = await newMemberOn(ann.context);
  const reporter = await newMemberOn(ben.context);
  const text = unique('신고당할 글');
  const sid = await writePost(author, text);
  await report(reporter, 'POST', sid);

  expect(listed('reported')).toContain(`post ${String(sid)} version 1 by ${String(author.memberSid)}`);
  expect(moderate('show', 'post', String(sid))).toContain('undecided SPAM: 광고 같아요');
  expect(decide('uphold', 'post', sid, '광고를 되풀이했어요')).toContain('its author is warned');
  expect(await isSeenByAll(sid)).toBe(false);
  // Another one who decides the same finds it decided; a version that nobody read is refused.
  expect(decide('uphold', 'post', sid, '광고를 되풀이했어요')).toContain('decided alike before');
  expect(() => moderate('dismiss', 'post', String(sid), '--version', '2', '--operator', 'journey', '--reason', 'x')).toThrow();

  // The reporter reads what became of the report.
  await ben.page.goto('/my/posts');
  await ben.page.getByRole('button', { name: '내 신고' }).tap();
  await ben.page.getByRole('dialog', { name: '내 신고' }).getByText('확인하고 가렸어요').waitFor();
  await expectSound(ben.page);
  await picture(ben.page, `reports-${theme}`);

  // The author reads why, and says something against it.
  await openPost(ann.page, sid, text);
  const notice = ann.page.getByRole('region', { name: '신고를 확인하고 가렸어요' });
  await notice.getByText('광고를 되풀이했어요').waitFor();
  await notice.getByText('이유: 스팸/리딩방').waitFor();
  await expectSound(ann.page);
  await picture(ann.page, `hidden-${theme}`);
  await notice.getByRole('button', { name: '이의 제기하기' }).tap();
  const sheet = ann.page.getByRole('dialog', { name: '이의를 제기할까요?' });
  await fillIn(sheet.getByRole('textbox', { name: '가려지면 안 되는 까닭' }), '광고가 아니라 제 경험이에요');
  await expectSound(ann.page);
  await sheet.getByRole('button', { name: '이의 제기하기' }).tap();
  await notice.getByText('이의 제기를 확인하고 있어요').waitFor();
  await ann.page.goto('/community/new');
  await ann.page.getByText(/경고를 받았어요/).waitFor();

  expect(listed('appealed')).toContain(`post ${String(sid)} `);
  expect(moderate('show', 'post', String(sid))).toContain('  | 광고가 아니라 제 경험이에요');
  expect(decide('dismiss', 'post', sid, '광고가 아니에요')).toContain('it is shown');
  expect(await isSeenByAll(sid)).toBe(true);
  await openPost(ann.page, sid, text);
  expect(await ann.page.getByText('지금은 나에게만 보여요').count()).toBe(0);
  // The warning went with it.
  await ann.page.goto('/community/new');
  await ann.page.getByRole('textbox', { name: '내용' }).waitFor();
  await ann.page.waitForLoadState('networkidle');
  expect(await ann.page.getByText(/경고를 받았어요/).count()).toBe(0);
  await closed(ann, ben);
});

test('who breaks the rules again may not write for a day, and goes on reading', async () => {
  const ann = await openPhone(browser);
  const ben = await openPhone(browser);
  const author = await newMemberOn(ann.context);
  const reporter = await newMemberOn(ben.context);
  const posts = [unique('첫째 글'), unique('둘째 글')];
  for (const [index, text] of posts.entries()) {
    const sid = await writePost(author, text);
    await report(reporter, 'POST', sid);
    expect(decide('uphold', 'post', sid, '욕설이 있어요')).toContain(index === 0 ? 'is warned' : 'may write again from');
  }
  const { page } = ann;
  await page.goto('/community/new');
  await page.getByText(/까지 글과 댓글을 쓸 수 없어요$/).waitFor();
  await fillIn(page.getByRole('textbox', { name: '내용' }), '또 쓸 글');
  expect(await page.getByRole('button', { name: '올리기', exact: true }).getAttribute('aria-disabled')).toBe('true');
  await expectSound(page);
  await picture(page, 'suspended');
  const refused = await fetch(new URL('/api/v1/community/post', page.url()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${author.token}` },
    body: JSON.stringify({ memberSid: author.memberSid, category: 'FREE', content: '또 쓸 글' }),
  });
  expect(refused.status).toBe(422);
  const problem = (await refused.json()) as { code: number; facts: { until: string; why: string } };
  expect([problem.code, problem.facts.why]).toEqual([5030, '욕설이 있어요']);
  expect(new Date(problem.facts.until).getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await page.goto('/community?category=NOTICE');
  await page.getByRole('main').getByRole('article').first().waitFor();
  await closed(ann, ben);
});

test('a comment is restricted because of a claim, and shown again with its count', async () => {
  const ann = await openPhone(browser);
  const author = await newMemberOn(ann.context);
  const text = unique('누구의 이야기');
  const comment = unique('그 사람 이야기');
  const post = await writePost(author, text);
  const sid = await writeComment(author, post, comment);
  const count = async () => (await api.get<{ commentCount: number }>(`/api/v1/community/get-post-detail?sid=${String(post)}`)).commentCount;
  expect(await count()).toBe(1);
  expect(decide('restrict', 'comment', sid, '권리를 침해한다는 요청이 있었어요')).toContain('it is hidden');
  expect(await count()).toBe(0);
  await openPost(ann.page, post, text);
  const notice = article(ann.page, comment).getByRole('region', { name: '권리를 침해한다는 요청이 있어 잠시 가려졌어요' });
  await notice.getByText(/까지 가려져요$/).waitFor();
  await expectSound(ann.page);
  await picture(ann.page, 'restricted');
  expect(decide('lift', 'comment', sid, '요청이 받아들여지지 않았어요')).toContain('it is shown');
  expect(await count()).toBe(1);
  await closed(ann);
});

test('a doubtful post is held, published by a decision, and muted by its author', async () => {
  const phone = await openPhone(browser);
  const { page } = phone;
  const author = await newMemberOn(phone.context);
  const text = unique('종목 추천방 이야기');
  const sid = await writePost(author, text);
  await openPost(page, sid, text);
  await page.getByText('확인하고 올릴게요').waitFor();
  expect(listed('held')).toContain(`post ${String(sid)} version 1`);
  expect(decide('publish', 'post', sid, '문제가 없어요')).toContain('it is shown');
  await eventually('everybody sees it', () => isSeenByAll(sid));

  await openPost(page, sid, text);
  const menu = article(page, text).getByRole('button', { name: /글 메뉴$/ });
  await menu.tap();
  await page.getByRole('dialog', { name: '글 메뉴' }).getByRole('button', { name: '알림 끄기' }).tap();
  await page.getByText('이 글의 알림을 껐어요').waitFor();
  await openPost(page, sid, text);
  await menu.tap();
  await page.getByRole('dialog', { name: '글 메뉴' }).getByRole('button', { name: '알림 켜기' }).tap();
  await page.getByText('이 글의 알림을 켰어요').waitFor();

  // A profile says since when somebody is here.
  const other = await openPhone(browser);
  await newMemberOn(other.context);
  await eventually('the month is known', async () => {
    await other.page.goto(`/community/user-profile/${String(author.memberSid)}`);
    await other.page.getByText(/년 \d+월부터 함께했어요$/).waitFor({ timeout: 3_000 });
    return true;
  });
  await closed(phone, other);
});
