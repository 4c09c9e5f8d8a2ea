import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closed, expectSound, launchBrowser, openPhone } from './support/browser';
import { article, unique } from './support/community';
import { api } from './support/member';
import { fillIn } from './support/screen';
import { newMemberOn } from './support/session';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const picture = (page: Page, name: string) => page.screenshot({ path: `${process.env.E2E_RUN_DIR ?? '.'}/log/community-${name}.png` });

const addressOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

const sidOf = (page: Page): number => Number(new URL(page.url()).searchParams.get('communitySid'));

/** Writes in the open editor and sends it. */
const send = async (page: Page, text: string, button = '올리기'): Promise<void> => {
  await fillIn(page.getByRole('textbox', { name: '내용' }), text);
  await page.getByRole('button', { name: button, exact: true }).tap();
};

/** Writes a post and ends on its detail. */
const writePost = async (page: Page, text: string): Promise<number> => {
  await page.goto('/community');
  await page.getByRole('link', { name: '글쓰기' }).tap();
  await send(page, text);
  await page.waitForURL('**/community/detail?communitySid=*');
  await article(page, text).waitFor();
  return sidOf(page);
};

/** How many items of the feed begin before the one above ends. */
const overlappingCards = (page: Page): Promise<number> =>
  page.getByRole('main').locator('li[aria-posinset]').evaluateAll((items) => {
    const boxes = items.map((item) => item.getBoundingClientRect()).sort((a, b) => a.top - b.top);
    return boxes.filter(({ top }, index) => index > 0 && top < (boxes[index - 1]?.bottom ?? 0) - 0.5).length;
  });

const openPost = async (page: Page, sid: number, text: string): Promise<void> => {
  await page.goto(`/community/detail?communitySid=${String(sid)}`);
  await article(page, text).waitFor();
};

/** Comments on the post that is open, and returns to it. */
const writeComment = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('link', { name: '+ 댓글 작성' }).tap();
  await page.getByRole('heading', { level: 1, name: '댓글 작성' }).waitFor();
  await send(page, text);
  await article(page, text).waitFor();
};

/** Opens the small menu of a comment and chooses. */
const chooseOf = async (page: Page, comment: string, choice: string): Promise<void> => {
  await article(page, comment).getByRole('button', { name: /댓글 메뉴$/ }).tap();
  await page.getByRole('menuitem', { name: choice, exact: true }).tap();
};

const confirm = async (page: Page, question: string, button: string): Promise<void> => {
  const action = page.getByRole('dialog', { name: question }).getByRole('button', { name: button, exact: true });
  await action.waitFor();
  // A button that has just appeared takes no taps.
  await expect.poll(() => action.getAttribute('aria-disabled')).toBe(null);
  await action.tap();
};

const commentsOf = async (sid: number): Promise<string[]> =>
  (await api.get<{ comments: { content: string }[] }>(`/api/v1/community/comment?boardSid=${String(sid)}`)).comments.map(({ content }) => content);

const blockedBy = async ({ memberSid, token }: { memberSid: number; token: string }): Promise<string[]> =>
  (await api.get<{ members: { nickname: string }[] }>(`/api/v1/community/block/${String(memberSid)}`, token)).members.map(({ nickname }) => nickname);

// J25, J26: two members at once.
test.each([
  ['light', false],
  ['dark', true],
])('two members write, answer and like, each seeing what the other did, in %s', async (theme, dark) => {
  const ann = await openPhone(browser, { dark });
  const ben = await openPhone(browser, { dark });
  const { member: annMember } = await newMemberOn(ann.context);
  const { member: benMember } = await newMemberOn(ben.context);

  // The editor keeps what is written over a reload.
  const text = unique('처음 산 주식 이야기');
  await ann.page.goto('/community/new');
  await fillIn(ann.page.getByRole('textbox', { name: '내용' }), '쓰다 만 글');
  await expect.poll(() => ann.page.evaluate(() => Object.keys(localStorage).some((key) => key.includes('community post')))).toBe(true);
  await ann.page.reload();
  await ann.page.getByText('쓰던 글을 불러왔어요').waitFor();
  await expectSound(ann.page);
  await picture(ann.page, `editor-${theme}`);
  await ann.page.getByRole('button', { name: '지우기', exact: true }).tap();
  const sid = await writePost(ann.page, text);

  // The other one finds it on top of the list and likes it.
  await ben.page.goto('/community');
  const card = article(ben.page, text);
  await card.waitFor();
  await expect.poll(() => overlappingCards(ben.page)).toBe(0);
  await expectSound(ben.page);
  await picture(ben.page, `list-${theme}`);
  await card.getByRole('button', { name: '좋아요 0개' }).tap();
  await card.getByRole('button', { name: '좋아요 1개' }).waitFor();
  await card.getByRole('link', { name: text }).tap();
  await ben.page.waitForURL(`**/community/detail?communitySid=${String(sid)}`);
  await ben.page.getByText('댓글이 없습니다.').waitFor();
  const comment = unique('저도 그랬어요');
  await writeComment(ben.page, comment);
  expect(addressOf(ben.page)).toBe(`/community/detail?communitySid=${String(sid)}`);

  // The author answers, and is answered by name.
  await openPost(ann.page, sid, text);
  await ann.page.getByRole('main').getByRole('button', { name: '좋아요 1개' }).first().waitFor();
  await article(ann.page, comment).waitFor();
  await article(ann.page, comment).getByRole('button', { name: '좋아요 0개' }).tap();
  await article(ann.page, comment).getByRole('button', { name: '좋아요 1개' }).waitFor();
  await article(ann.page, comment).getByRole('link', { name: '댓글 달기' }).tap();
  await ann.page.getByRole('heading', { level: 1, name: '답글 작성' }).waitFor();
  const reply = unique('고마워요');
  await send(ann.page, reply);
  await article(ann.page, reply).waitFor();
  await openPost(ben.page, sid, text);
  await article(ben.page, reply).getByRole('link', { name: '댓글 달기' }).tap();
  const answer = unique('천천히 해봐요');
  await send(ben.page, answer);
  await article(ben.page, answer).getByText(`@${annMember.nickname}`).waitFor();
  await expectSound(ben.page);
  await picture(ben.page, `detail-${theme}`);

  // Each has a menu of their own texts only.
  expect(await article(ben.page, text).getByRole('button', { name: `${annMember.nickname}님 글 메뉴` }).count()).toBe(1);
  await openPost(ann.page, sid, text);
  await article(ann.page, text).getByRole('button', { name: /글 메뉴$/ }).tap();
  const menu = ann.page.getByRole('dialog', { name: '글 메뉴' });
  await menu.getByRole('button', { name: '수정하기' }).tap();
  await ann.page.getByRole('heading', { level: 1, name: '글 수정' }).waitFor();
  const changed = unique('다시 쓴 주식 이야기');
  await send(ann.page, changed, '수정');
  await article(ann.page, changed).getByText('(수정됨)').waitFor();
  await openPost(ben.page, sid, changed);

  // Back leads to the list, whatever is behind.
  await ben.page.getByRole('button', { name: '뒤로 가기' }).tap();
  await expect.poll(() => new URL(ben.page.url()).pathname).toBe('/community');

  // The profile of another, and the own texts.
  await ben.page.getByRole('link', { name: annMember.nickname, exact: true }).first().tap();
  await ben.page.getByRole('heading', { level: 1, name: annMember.nickname }).waitFor();
  await article(ben.page, changed).waitFor();
  await ben.page.getByRole('button', { name: '팔로우', exact: true }).tap();
  await ben.page.getByRole('button', { name: '팔로우 중' }).waitFor();
  await expectSound(ben.page);
  await picture(ben.page, `profile-${theme}`);
  await ben.page.goto('/community?type=FOLLOW');
  await article(ben.page, changed).waitFor();
  await ben.page.goto('/my/posts?tab=COMMENT');
  await ben.page.getByRole('link', { name: new RegExp(comment) }).waitFor();
  await expectSound(ben.page);
  expect(benMember.nickname).not.toBe(annMember.nickname);

  await openPost(ann.page, sid, changed);
  await article(ann.page, changed).getByRole('button', { name: /글 메뉴$/ }).tap();
  await ann.page.getByRole('dialog', { name: '글 메뉴' }).getByRole('button', { name: '삭제하기' }).tap();
  await confirm(ann.page, '내 의견을 삭제할까요?', '삭제하기');
  await ann.page.getByText('게시물이 삭제되었습니다.').waitFor();
  await expect.poll(() => new URL(ann.page.url()).pathname).toBe('/community');
  await ben.page.goto(`/community/detail?communitySid=${String(sid)}`);
  await ben.page.getByText('삭제된 글이에요').waitFor();
  await expectSound(ben.page);
  await closed(ann, ben);
});

// J26: a deleted comment can be undone for two seconds, and is not lost when the member leaves.
test('a comment is deleted after two seconds, at once when left, and not at all when undone', async () => {
  const phone = await openPhone(browser);
  const { page } = phone;
  await newMemberOn(phone.context);
  const text = unique('댓글을 지워볼 글');
  const sid = await writePost(page, text);
  const [first, second] = [unique('첫째 댓글'), unique('둘째 댓글')];
  await writeComment(page, first);
  await writeComment(page, second);
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(request.url());
  });

  await chooseOf(page, first, '삭제');
  await page.getByText('댓글 삭제에 성공했습니다.').waitFor();
  expect(await article(page, first).count()).toBe(0);
  await page.getByRole('button', { name: '취소', exact: true }).tap();
  await article(page, first).waitFor();
  expect(await page.getByRole('main').getByRole('article').allInnerTexts().then((all) => all.findIndex((one) => one.includes(first)))).toBe(1);
  await page.waitForTimeout(2_500);
  expect(deletions).toEqual([]);

  await chooseOf(page, first, '삭제');
  await expect.poll(() => deletions.length, { timeout: 6_000 }).toBe(1);
  await expect.poll(() => commentsOf(sid)).toEqual([second]);

  // Leaving for another page of the web ends the undo, and the deletion outlives the page.
  await chooseOf(page, second, '삭제');
  await page.goto('about:blank');
  await expect.poll(() => commentsOf(sid)).toEqual([]);
  await openPost(page, sid, text);
  await page.getByText('댓글이 없습니다.').waitFor();
  await closed(phone);
});

test('what is disliked is reported, and who is disliked is blocked and let back', async () => {
  const ann = await openPhone(browser);
  const ben = await openPhone(browser);
  const { member: annMember } = await newMemberOn(ann.context);
  const benSession = await newMemberOn(ben.context);
  const text = unique('신고당할 글');
  const sid = await writePost(ann.page, text);

  const { page } = ben;
  await openPost(page, sid, text);
  await article(page, text).getByRole('button', { name: /글 메뉴$/ }).tap();
  await page.getByRole('dialog', { name: '글 메뉴' }).getByRole('button', { name: '신고하기' }).tap();
  const sheet = page.getByRole('dialog', { name: '어떤 점이 문제인가요?' });
  await sheet.getByRole('radio', { name: '스팸/리딩방' }).check();
  await expectSound(page);
  await sheet.getByRole('button', { name: '신고하기' }).tap();
  await page.getByText('신고를 받았어요. 확인해볼게요.').waitFor();

  const block = async (): Promise<void> => {
    await article(page, text).getByRole('button', { name: /글 메뉴$/ }).tap();
    await page.getByRole('dialog', { name: '글 메뉴' }).getByRole('button', { name: '차단하기' }).tap();
    await confirm(page, `${annMember.nickname}님을 차단할까요?`, '차단하기');
  };
  const blocks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/api/v1/community/block')) blocks.push(request.url());
  });

  // An undo in time sends nothing.
  await block();
  await page.getByRole('button', { name: '취소', exact: true }).tap();
  await page.waitForTimeout(2_500);
  expect(blocks).toEqual([]);
  await openPost(page, sid, text);

  await block();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/community');
  await page.getByRole('main').getByRole('article').first().waitFor();
  expect(await article(page, text).count()).toBe(0);
  await expect.poll(() => blockedBy(benSession), { timeout: 6_000 }).toEqual([annMember.nickname]);
  expect(await article(page, text).count()).toBe(0);
  await page.goto(`/community/detail?communitySid=${String(sid)}`);
  await page.getByText('글을 찾지 못했어요').waitFor();

  await page.goto('/my/posts');
  await page.getByRole('button', { name: '차단한 사람' }).tap();
  const blocked = page.getByRole('dialog', { name: '차단한 사람' });
  await blocked.getByText(annMember.nickname).waitFor();
  await blocked.getByRole('button', { name: '차단 풀기' }).tap();
  await blocked.getByText('차단한 사람이 없어요').waitFor();
  await openPost(page, sid, text);
  await closed(ann, ben);
});

test('a visitor reads, and signs in to write; the operator has no profile', async () => {
  const phone = await openPhone(browser);
  const { page } = phone;
  await page.goto('/community?category=NOTICE');
  const notice = page.getByRole('main').getByRole('article').filter({ hasText: '운영자' }).first();
  await notice.waitFor();
  expect(await notice.getByRole('link', { name: '운영자', exact: true }).count()).toBe(0);
  const heart = notice.getByRole('button', { name: /^좋아요/ });
  await heart.tap();
  expect(await heart.getAttribute('aria-pressed')).toBe('false');
  await expectSound(page);
  await page.getByRole('link', { name: '글쓰기' }).tap();
  await expect.poll(() => addressOf(page)).toBe(`/login?next=${encodeURIComponent('/community/new')}`);

  await newMemberOn(phone.context);
  await page.goto('/community/user-profile/23488');
  await page.getByRole('main').getByText('찾는 페이지가 없어요').waitFor();
  await closed(phone);
});

test('what is written is kept when the editor is left', async () => {
  const phone = await openPhone(browser);
  const { page } = phone;
  await newMemberOn(phone.context);
  await page.goto('/community');
  await page.getByRole('link', { name: '글쓰기' }).tap();
  const text = unique('나중에 마저 쓸 글');
  await fillIn(page.getByRole('textbox', { name: '내용' }), text);
  // Back asks, and the page below stays.
  await expect.poll(() => page.evaluate(() => (history.state as { usr?: { overlays?: string[] } } | null)?.usr?.overlays?.length ?? 0)).toBe(1);
  await page.goBack();
  await page.getByRole('dialog', { name: '작성을 그만할까요?' }).getByRole('button', { name: '계속 쓰기' }).tap();
  expect(await page.getByRole('textbox', { name: '내용' }).inputValue()).toBe(text);
  await page.getByRole('button', { name: '뒤로 가기' }).tap();
  await confirm(page, '작성을 그만할까요?', '나가기');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/community');
  await page.getByRole('link', { name: '글쓰기' }).tap();
  await page.getByText('쓰던 글을 불러왔어요').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: '내용' }).inputValue()).toBe(text);

  // A tagged instrument leads to its detail, which shows the post.
  await page.getByRole('button', { name: '종목 태그하기' }).tap();
  const picker = page.getByRole('dialog', { name: '종목 찾기' });
  await fillIn(picker.getByRole('searchbox'), '삼성전자');
  await picker.getByRole('button', { name: /^삼성전자\s*005930$/ }).tap();
  await page.getByText('$삼성전자', { exact: true }).waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: '올리기', exact: true }).tap();
  await page.waitForURL('**/community/detail?communitySid=*');
  await page.getByText('투자 권유가 아니에요').waitFor();
  await page.getByRole('list', { name: '이야기한 종목' }).getByRole('link', { name: /삼성전자/ }).tap();
  await page.getByRole('heading', { level: 1, name: '삼성전자' }).waitFor();
  const section = page.getByRole('region', { name: '이 종목 이야기' });
  await expect.poll(async () => {
    await page.mouse.wheel(0, 1_000);
    return section.getByRole('link', { name: new RegExp(text) }).count();
  }, { timeout: 20_000 }).toBe(1);
  await closed(phone);
});

test('a long text stays readable at twice the size', async () => {
  const phone = await openPhone(browser);
  const { page } = phone;
  await newMemberOn(phone.context);
  const text = `${unique('긴 글')} ${'투자하면서 배운 것을 차근차근 적어봐요. '.repeat(70)}`.slice(0, 1_990).trim();
  await writePost(page, text);
  await page.addStyleTag({ content: 'html { font-size: 200% !important; }' });
  await expectSound(page);
  await picture(page, 'large-detail');
  await page.goto('/community');
  await page.addStyleTag({ content: 'html { font-size: 200% !important; }' });
  await page.getByRole('button', { name: '더 보기' }).first().waitFor();
  await expectSound(page);
  await picture(page, 'large-list');
  await closed(phone);
});
