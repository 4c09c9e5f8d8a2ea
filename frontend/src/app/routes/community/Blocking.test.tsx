import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Comment, Post } from '@/features/community/types';
import { LogoutRow } from '@/features/session/LogoutRow';
import { endSession, startSession } from '@/shared/api/session';
import { dismissSnackbar } from '@/shared/ui/snackbarStore';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import CommunityRoute from './CommunityRoute';
import { ANN, BEN, comment, ownComment, post } from './communitySamples';
import PostRoute from './PostRoute';

let posts: Post[];
let comments: Comment[];
/** How often the list was asked for. */
let loads: number;
let sent: unknown[];
/** Whose blocks they were. */
let tokens: (string | null)[];

const open = (at: string, beside?: ReactNode) =>
  renderApp(
    <>
      <Routes>
        <Route path="/community" element={<CommunityRoute />} />
        <Route path="/community/detail" element={<PostRoute />} />
      </Routes>
      {beside}
    </>,
    { at },
  );
type User = ReturnType<typeof renderApp>['user'];
const texts = () => screen.queryAllByText(/^(Post|Comment|Reply) \d+$/).map(({ textContent }) => textContent);

const confirm = async (user: User, nickname: string) => {
  const dialog = await screen.findByRole('dialog', { name: `${nickname}님을 차단할까요?` });
  await user.click(within(dialog).getByRole('button', { name: '차단하기' }));
};
const blockAnn = async (user: User) => {
  await user.click((await screen.findAllByRole('button', { name: 'Ann님 글 메뉴' }))[0] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: '차단하기' }));
  await confirm(user, 'Ann');
};

beforeEach(() => {
  posts = [post(3), post(2, { writerId: BEN, nickname: 'Ben' }), post(1)];
  comments = [];
  loads = 0;
  sent = [];
  tokens = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/list', () => {
      loads += 1;
      return HttpResponse.json({ posts, cursor: null });
    }),
    http.get('*/api/v1/community/new-count', () => HttpResponse.json({ count: 0 })),
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(post(1, { commentCount: 3, isComment: true }))),
    http.get('*/api/v1/community/comment', () => HttpResponse.json({ comments, cursor: null })),
    http.put('*/api/v1/community/block', async ({ request }) => {
      const body = (await request.json()) as { userSid: number; on: boolean };
      sent.push(body);
      tokens.push(request.headers.get('Authorization'));
      posts = posts.filter(({ writerId }) => writerId !== body.userSid);
      return HttpResponse.json({ userSid: body.userSid, isFollowed: false, isBlocked: body.on });
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  act(() => {
    dismissSnackbar();
    endSession('logout');
  });
});

describe('blocking an author', () => {
  it('hides what they wrote at once, and is sent when nobody undoes it', async () => {
    const { user } = open('/community');
    await blockAnn(user);
    expect(texts()).toEqual(['Post 2']);
    expect(await screen.findByText('Ann님을 차단했어요')).toBeInTheDocument();
    expect(sent).toEqual([]);
    const loadsBefore = loads;
    act(() => dismissSnackbar());
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, userSid: ANN, on: true }]));
    expect(texts()).toEqual(['Post 2']);
    await waitFor(() => expect(loads).toBe(loadsBefore + 1));
    expect(texts()).toEqual(['Post 2']);
  });

  it('hides what is still loaded when the lists cannot be loaded again', async () => {
    const { user } = open('/community');
    await blockAnn(user);
    server.use(http.get('*/api/v1/community/list', () => problem(503, 9007, 'UNAVAILABLE')));
    act(() => dismissSnackbar());
    await waitFor(() => expect(sent).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: '새로고침' }));
    expect(await screen.findByText('불러오지 못했어요')).toBeInTheDocument();
    expect(texts()).toEqual(['Post 2']);
  });

  it('goes on with the next page where the first was theirs alone', async () => {
    server.use(
      http.get('*/api/v1/community/list', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === null
          ? HttpResponse.json({ posts: [post(3), post(1)], cursor: 'next' })
          : HttpResponse.json({ posts: [post(2, { writerId: BEN, nickname: 'Ben' })], cursor: null }),
      ),
    );
    const { user } = open('/community');
    await blockAnn(user);
    expect(texts()).toEqual([]);
    await user.click(screen.getByRole('button', { name: '더 보기' }));
    await waitFor(() => expect(texts()).toEqual(['Post 2']));
  });

  it('can be undone, which shows the texts again and sends nothing', async () => {
    const { user } = open('/community');
    await blockAnn(user);
    await user.click(await screen.findByText('취소'));
    expect(texts()).toEqual(['Post 3', 'Post 2', 'Post 1']);
    act(() => void window.dispatchEvent(new Event('pagehide')));
    // Whatever was sent has arrived by the answer to this.
    const loadsBefore = loads;
    await user.click(screen.getByRole('button', { name: '새로고침' }));
    await waitFor(() => expect(loads).toBe(loadsBefore + 1));
    expect(sent).toEqual([]);
  });

  it.each([
    ['the page goes', () => window.dispatchEvent(new Event('pagehide'))],
    [
      'the page is hidden',
      () => {
        vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
        document.dispatchEvent(new Event('visibilitychange'));
      },
    ],
  ])('is sent at once and survives when %s', async (_what, go) => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const { user } = open('/community');
    await blockAnn(user);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(sent).toEqual([]);
    act(() => void go());
    await waitFor(() => expect(sent).toHaveLength(1));
    const request = fetched.mock.calls.map(([input]) => input as Request).find(({ method }) => method === 'PUT');
    expect(request?.keepalive).toBe(true);
  });

  it('is sent before a logout, which ends its message', async () => {
    let logouts = 0;
    server.use(
      http.post('*/api/v1/auth/logout', () => {
        logouts += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = open('/community', <LogoutRow />);
    await blockAnn(user);
    await user.click(screen.getByRole('button', { name: '로그아웃' }));
    const question = await screen.findByRole('dialog', { name: '로그아웃할까요?' });
    await user.click(within(question).getByRole('button', { name: '로그아웃' }));
    await waitFor(() => expect(logouts).toBe(1));
    await waitFor(() => expect(tokens).toEqual(['Bearer token']));
    expect(screen.queryByText('Ann님을 차단했어요')).toBeNull();
    expect(screen.queryByText('차단하지 못했어요. 다시 시도해주세요.')).toBeNull();
  });

  it('is dropped with a session that ends otherwise, of which the next member hears nothing', async () => {
    const { user } = open('/community');
    await blockAnn(user);
    act(() => {
      endSession('expired');
      startSession({ accessToken: 'theirs', memberSid: MEMBER_SID + 1 });
    });
    expect(screen.queryByText('Ann님을 차단했어요')).toBeNull();
    // Whatever was sent has arrived by the answer to this.
    const loadsBefore = loads;
    await user.click(screen.getByRole('button', { name: '새로고침' }));
    await waitFor(() => expect(loads).toBeGreaterThan(loadsBefore));
    expect(sent).toEqual([]);
    expect(screen.queryByText('차단하지 못했어요. 다시 시도해주세요.')).toBeNull();
  });

  it('shows their texts again when it fails', async () => {
    server.use(http.put('*/api/v1/community/block', () => HttpResponse.error()));
    const { user } = open('/community');
    await blockAnn(user);
    act(() => dismissSnackbar());
    expect(await screen.findByText('차단하지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    await waitFor(() => expect(texts()).toEqual(['Post 3', 'Post 2', 'Post 1']));
  });

  it('sends the first one when a second is blocked', async () => {
    posts = [...posts, post(0, { writerId: 200_003, nickname: 'Cho' })];
    const { user } = open('/community');
    await blockAnn(user);
    await user.click(await screen.findByRole('button', { name: 'Ben님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '차단하기' }));
    await confirm(user, 'Ben');
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, userSid: ANN, on: true }]));
    expect(texts()).toEqual(['Post 0']);
    await user.click(await screen.findByText('취소'));
    await waitFor(() => expect(texts()).toEqual(['Post 2', 'Post 0']));
  });

  it('keeps the undo of a second one when the first fails meanwhile', async () => {
    server.use(
      http.put('*/api/v1/community/block', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.error();
      }),
    );
    const { user } = open('/community');
    await blockAnn(user);
    await user.click(await screen.findByRole('button', { name: 'Ben님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '차단하기' }));
    await confirm(user, 'Ben');
    // Touched, so that its time does not end it.
    await user.hover(await screen.findByText('Ben님을 차단했어요'));
    await waitFor(() => expect(texts()).toEqual(['Post 3', 'Post 1']));
    await user.click(screen.getByText('취소'));
    expect(await screen.findByText('차단하지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    expect(texts()).toEqual(['Post 3', 'Post 2', 'Post 1']);
    expect(sent).toEqual([{ memberSid: MEMBER_SID, userSid: ANN, on: true }]);
  });

  it('leaves the places of their comments that have replies', async () => {
    comments = [comment(11, { answerCount: 1, answers: [ownComment(21, { parentSid: 11, content: 'Reply 21' })] }), ownComment(12), comment(13)];
    const { user } = open('/community/detail?communitySid=1');
    await user.click((await screen.findAllByRole('button', { name: 'Ben님 댓글 메뉴' }))[0] as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: '차단하기' }));
    await confirm(user, 'Ben');
    expect(texts()).toEqual(['Post 1', 'Reply 21', 'Comment 12']);
    expect(screen.getByText('차단한 사용자의 댓글이에요')).toBeVisible();
    await user.click(await screen.findByText('취소'));
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Reply 21', 'Comment 12', 'Comment 13']);
    expect(sent).toEqual([]);
  });
});
