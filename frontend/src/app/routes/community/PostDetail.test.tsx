import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rememberReplyTo } from '@/features/community/ownReplies';
import type { Comment, Post } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { dismissSnackbar } from '@/shared/ui/snackbarStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import { comment, ownComment, ownPost, picture, post } from './communitySamples';
import PostRoute from './PostRoute';

let shown: Post;
let comments: Comment[];
let asked: URLSearchParams[];

const open = (at = '/community/detail?communitySid=1') =>
  renderApp(
    <Routes>
      <Route path="/community/detail" element={<PostRoute />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at },
  );
const address = () => screen.getByTestId('address').textContent;
const texts = () => screen.queryAllByRole('article').map((one) => /(Post|Comment|Reply) \d+/.exec(one.querySelector('.text')?.textContent ?? '')?.[0]);

beforeEach(() => {
  shown = post(1, { commentCount: 3, isComment: true });
  comments = [comment(11), ownComment(12), comment(13)];
  asked = [];
  tickStore.clear();
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(shown)),
    http.get('*/api/v1/community/comment', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ comments, cursor: null });
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  act(() => endSession('logout'));
});

describe('a post', () => {
  it('stands with its comments and their replies', async () => {
    const reply = comment(21, { parentSid: 11, content: 'Reply 21', tagUserSid: 5, tagUserNickName: 'Cho' });
    comments = [
      comment(11, { answerCount: 1, answers: [reply], likeCount: 3, contentImg: '/files/a/1920', images: [picture('a')] }),
      comment(14, { isOperator: true, userNickName: 'Operator' }),
      comment(15, { isDeleted: true, content: '삭제된 댓글입니다', userNickName: '', userSid: 0, answerCount: 1, answers: [comment(22, { parentSid: 15, content: 'Reply 22' })] }),
      comment(16, { isBlocked: true, content: '차단한 사용자의 댓글이에요', userNickName: '', userSid: 0 }),
      ownComment(17, { status: 'HELD' }),
    ];
    const { container } = open();
    expect(await screen.findByText('Post 1')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: '커뮤니티' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: 'Ann' })).toBeVisible();
    expect(await screen.findByRole('heading', { level: 2, name: '댓글 3' })).toBeVisible();
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Reply 21', 'Comment 14', 'Reply 22', 'Comment 17']);
    expect(screen.getByText('Reply 21', { exact: false }).closest('ol')).not.toBe(screen.getByText('Comment 11').closest('ol'));
    expect(screen.getByText('@Cho')).toBeVisible();
    expect(screen.getByText('삭제된 댓글입니다')).toBeVisible();
    expect(screen.getByText('차단한 사용자의 댓글이에요')).toBeVisible();
    expect(screen.getByText('확인하고 올릴게요')).toBeVisible();
    expect(screen.getByRole('img', { name: 'Ben님이 올린 사진 1' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Operator님 댓글 메뉴' })).toBeNull();
    expect(screen.getAllByRole('link', { name: '댓글 달기' })[0]).toHaveAttribute('href', '/community/new?commentSid=11&isAnswer=true');
    expect(screen.getByRole('link', { name: '+ 댓글 작성' })).toHaveAttribute('href', '/community/new?boardSid=1&isComment=true');
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ boardSid: '1', memberSid: String(MEMBER_SID) });
    expect(await axeViolations(container)).toEqual([]);
  });

  it('links the instruments it names, with their change, and says that it is no advice', async () => {
    shown = post(1, {
      content: 'I hold $삼성전자우 and $삼성전자, not $others',
      tags: [
        { code: '005930', name: '삼성전자', isHeld: true },
        { code: '005935', name: '삼성전자우', isHeld: false },
        { code: 'KRW-BTC', name: '비트코인', isHeld: false },
        { code: '04020000', name: '금 99.99', isHeld: false },
        { code: 'AAPL', name: '애플', isHeld: false },
      ],
    });
    tickStore.apply([tickFromItem(samsung)]);
    open();
    const chips = within(await screen.findByRole('list', { name: '이야기한 종목' })).getAllByRole('link');
    expect(chips.map((chip) => [chip.textContent, chip.getAttribute('href')])).toEqual([
      ['$삼성전자▲1.57%상승보유 중', '/invest-v2/stock/005930'],
      ['$삼성전자우', '/invest-v2/stock/005935'],
      ['$비트코인', '/invest-v2/coin/KRW-BTC?refMarketCode=coin'],
      ['$금 99.99', '/invest-v2/gold/04020000'],
      ['$애플', '/invest-v2/stock/AAPL'],
    ]);
    const text = screen.getByText(/I hold/);
    expect(text).toHaveTextContent('I hold $삼성전자우 and $삼성전자, not $others');
    expect(within(text).getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/invest-v2/stock/005935', '/invest-v2/stock/005930']);
    expect(screen.getByText('투자 권유가 아니에요')).toBeVisible();
  });

  it('has no comments at first', async () => {
    shown = post(1);
    comments = [];
    open();
    expect(await screen.findByText('댓글이 없습니다.')).toBeVisible();
    expect(screen.queryByText('투자 권유가 아니에요')).toBeNull();
  });

  it.each([
    ['/community/detail?communitySid=1', 5002, 'POST_DELETED', '삭제된 글이에요'],
    ['/community/detail?communitySid=1', 5001, 'POST_NOT_FOUND', '글을 찾지 못했어요'],
    ['/community/detail?communitySid=x', null, '', '글을 찾지 못했어요'],
    ['/community/detail', null, '', '글을 찾지 못했어요'],
  ])('is missing at %s with %s', async (at, code, reason, text) => {
    if (code !== null) server.use(http.get('*/api/v1/community/get-post-detail', () => problem(404, code, reason)));
    const { container } = open(at);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: '목록으로 가기' })).toHaveAttribute('href', '/community');
    expect(screen.queryByRole('link', { name: '+ 댓글 작성' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('and its comments can be retried after a failure', async () => {
    server.use(
      http.get('*/api/v1/community/get-post-detail', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }),
      http.get('*/api/v1/community/comment', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('Post 1')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('Comment 11')).toBeVisible();
  });

  it('is left for the list', async () => {
    const { user } = open();
    await screen.findByText('Post 1');
    await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
    expect(address()).toBe('/community');
  });

  it('is gone with its deletion', async () => {
    shown = ownPost(1);
    server.use(http.delete('*/api/v1/community/delete-post', () => HttpResponse.json({ sid: 1 })));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Me님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '삭제하기' }));
    const dialog = await screen.findByRole('dialog', { name: '내 의견을 삭제할까요?' });
    await user.click(within(dialog).getByRole('button', { name: '삭제하기' }));
    await waitFor(() => expect(address()).toBe('/community'));
    expect(screen.getByText('게시물이 삭제되었습니다.')).toBeInTheDocument();
  });

  it('is left when its author is blocked', async () => {
    let blocks = 0;
    server.use(
      http.put('*/api/v1/community/block', () => {
        blocks += 1;
        return HttpResponse.json({ userSid: 200_001, isFollowed: false, isBlocked: true });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Ann님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '차단하기' }));
    const dialog = await screen.findByRole('dialog', { name: 'Ann님을 차단할까요?' });
    await user.click(within(dialog).getByRole('button', { name: '차단하기' }));
    await waitFor(() => expect(address()).toBe('/community'));
    // The undo goes along to the list.
    expect(await screen.findByText('취소')).toBeInTheDocument();
    expect(blocks).toBe(0);
    act(() => dismissSnackbar());
    await waitFor(() => expect(blocks).toBe(1));
  });

  it('leads to nobody where those who wrote it left for good', async () => {
    const gone = '탈퇴한 사용자';
    shown = post(1, { writerId: 0, nickname: gone, level: null });
    comments = [comment(11, { userSid: 0, userNickName: gone, level: null })];
    const { user } = open();
    expect(await screen.findByRole('heading', { level: 3, name: gone })).toBeVisible();
    expect(screen.queryByRole('link', { name: gone })).toBeNull();
    await user.click(screen.getByRole('button', { name: `${gone}님 댓글 메뉴` }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['신고하기']);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: `${gone}님 글 메뉴` }));
    expect(await screen.findByRole('button', { name: '신고하기' })).toBeVisible();
    expect(screen.queryByRole('button', { name: '차단하기' })).toBeNull();
  });

  it('waits with comments until there is a connection', async () => {
    open();
    await screen.findByText('Comment 11');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    const button = screen.getByRole('button', { name: '+ 댓글 작성' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('연결되면 할 수 있어요');
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
  });
});

describe('comments', () => {
  it('go on by the cursor, and replies when asked for', async () => {
    const replies = [21, 22, 23, 24].map((sid) => comment(sid, { parentSid: 11, content: `Reply ${sid}` }));
    server.use(
      http.get('*/api/v1/community/comment', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === null
          ? HttpResponse.json({ comments: [comment(11, { answerCount: 5, answers: replies.slice(0, 3) })], cursor: 'next' })
          : HttpResponse.json({ comments: [comment(12)], cursor: null }),
      ),
      http.get('*/api/v1/community/answer', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === null
          ? HttpResponse.json({ answers: replies, cursor: 'next' })
          : HttpResponse.json({ answers: [comment(25, { parentSid: 11, content: 'Reply 25' })], cursor: null }),
      ),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '답글 2개 더 보기' }));
    await user.click(await screen.findByRole('button', { name: '답글 1개 더 보기' }));
    expect(await screen.findByText('Reply 25')).toBeVisible();
    expect(screen.queryByRole('button', { name: /답글/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: '댓글 더 보기' }));
    expect(await screen.findByText('Comment 12')).toBeVisible();
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Reply 21', 'Reply 22', 'Reply 23', 'Reply 24', 'Reply 25', 'Comment 12']);
  });

  it('show all replies where the member has just replied', async () => {
    const replies = [21, 22, 23, 24].map((sid) => comment(sid, { parentSid: 11, content: `Reply ${sid}` }));
    comments = [comment(11, { answerCount: 5, answers: replies.slice(0, 3) })];
    server.use(
      http.get('*/api/v1/community/answer', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === null
          ? HttpResponse.json({ answers: replies, cursor: 'next' })
          : HttpResponse.json({ answers: [ownComment(25, { parentSid: 11, content: 'Reply 25' })], cursor: null }),
      ),
    );
    rememberReplyTo(11);
    open();
    expect(await screen.findByText('Reply 25')).toBeVisible();
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Reply 21', 'Reply 22', 'Reply 23', 'Reply 24', 'Reply 25']);
  });

  it('can ask again for replies that did not load', async () => {
    comments = [comment(11, { answerCount: 1, answers: [] })];
    server.use(http.get('*/api/v1/community/answer', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }));
    server.use(http.get('*/api/v1/community/answer', () => HttpResponse.json({ answers: [comment(21, { parentSid: 11, content: 'Reply 21' })], cursor: null })));
    server.use(http.get('*/api/v1/community/answer', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = open();
    const more = await screen.findByRole('button', { name: '답글 1개 더 보기' });
    await user.click(more);
    await waitFor(() => expect(more).not.toHaveAttribute('aria-busy'));
    await user.click(more);
    expect(await screen.findByText('Reply 21')).toBeVisible();
  });

  it('are liked at once, and reverted after a failure', async () => {
    const calls: string[] = [];
    server.use(
      http.post('*/api/v1/community/:like', ({ request, params }) => {
        const query = new URL(request.url).searchParams;
        calls.push(`${String(params.like)} ${query.get('commentSid')} ${query.get('memberSid')} ${query.get('bdSid')}`);
        return params.like === 'comment-like-up' ? HttpResponse.json({ commentSid: 11, isLike: true, likeCount: 1 }) : problem(404, 5003, 'COMMENT_NOT_FOUND');
      }),
    );
    const { user } = open();
    const heart = within(await screen.findByRole('article', { name: 'Me' })).getByRole('button', { name: '좋아요 0개' });
    await user.click(heart);
    expect(heart).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(heart).toHaveAccessibleName('좋아요 1개'));
    await user.click(heart);
    await waitFor(() => expect(calls).toHaveLength(2));
    await waitFor(() => expect(heart).toHaveAttribute('aria-pressed', 'true'));
    expect(calls).toEqual([`comment-like-up 12 ${MEMBER_SID} 1`, `comment-like-down 12 ${MEMBER_SID} 1`]);
  });

  it('are not liked by visitors', async () => {
    act(() => endSession('logout'));
    const { user } = open();
    const heart = within(await screen.findByRole('article', { name: 'Me' })).getByRole('button', { name: '좋아요 0개' });
    await user.click(heart);
    expect(heart).toHaveAttribute('aria-pressed', 'false');
    expect(asked[0]?.has('memberSid')).toBe(false);
  });

  it('of oneself lead to the editor', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Me님 댓글 메뉴' }));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['삭제', '수정']);
    await user.click(screen.getByRole('menuitem', { name: '수정' }));
    await waitFor(() => expect(address()).toBe('/community/new?writeSid=12&isComment=true'));
  });

  it('of others are reported', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/v1/community/report', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ sid: 1 });
      }),
    );
    const { user } = open();
    await user.click((await screen.findAllByRole('button', { name: 'Ben님 댓글 메뉴' }))[0] as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: '신고하기' }));
    const sheet = await screen.findByRole('dialog', { name: '어떤 점이 문제인가요?' });
    await user.click(within(sheet).getByRole('radio', { name: '기타' }));
    await user.click(within(sheet).getByRole('button', { name: '신고하기' }));
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, kind: 'COMMENT', sid: 11, reason: 'OTHER' }]));
  });

  it('of others lead to blocking them, for which a visitor signs in', async () => {
    const { user } = open();
    await user.click((await screen.findAllByRole('button', { name: 'Ben님 댓글 메뉴' }))[0] as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: '차단하기' }));
    const dialog = await screen.findByRole('dialog', { name: 'Ben님을 차단할까요?' });
    await user.click(within(dialog).getByRole('button', { name: '닫기' }));
    act(() => endSession('logout'));
    await user.click((await screen.findAllByRole('button', { name: 'Ben님 댓글 메뉴' }))[0] as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: '차단하기' }));
    expect(await screen.findByRole('dialog', { name: '로그인하면 쓸 수 있어요' })).toBeVisible();
  });
});

describe('the menu of a comment', () => {
  it('is moved in by keys, and closed by Esc, Tab and a tap elsewhere', async () => {
    const { user, container } = open();
    const button = await screen.findByRole('button', { name: 'Me님 댓글 메뉴' });
    await user.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    const [remove, edit] = screen.getAllByRole('menuitem');
    expect(remove).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(edit).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(remove).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(edit).toHaveFocus();
    await user.keyboard('{Home}');
    expect(remove).toHaveFocus();
    await user.keyboard('{End}');
    expect(edit).toHaveFocus();
    await user.keyboard('x');
    expect(edit).toHaveFocus();
    expect(await axeViolations(container)).toEqual([]);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(button).toHaveFocus();
    await user.click(button);
    await user.keyboard('{Tab}');
    expect(screen.queryByRole('menu')).toBeNull();
    await user.click(button);
    await user.click(screen.getByText('Post 1'));
    expect(screen.queryByRole('menu')).toBeNull();
    await user.click(button);
    await user.click(button);
    expect(screen.queryByRole('menu')).toBeNull();
  });
});
