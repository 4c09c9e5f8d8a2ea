import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Comment, Post } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { dismissSnackbar } from '@/shared/ui/snackbarStore';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import { comment, ownComment, post } from './communitySamples';
import PostRoute from './PostRoute';

let shown: Post;
let comments: Comment[];
let deleted: string[];

const open = () =>
  renderApp(
    <Routes>
      <Route path="/community/detail" element={<PostRoute />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at: '/community/detail?communitySid=1' },
  );
const texts = () => screen.queryAllByRole('article').map((one) => /(Post|Comment|Reply) \d+/.exec(one.querySelector('.text')?.textContent ?? '')?.[0]);
const removeFirstOwn = async (user: ReturnType<typeof renderApp>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'Me님 댓글 메뉴' }));
  await user.click(await screen.findByRole('menuitem', { name: '삭제' }));
};

beforeEach(() => {
  shown = post(1, { commentCount: 3, isComment: true });
  comments = [comment(11), ownComment(12), comment(13)];
  deleted = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(shown)),
    http.get('*/api/v1/community/comment', () => HttpResponse.json({ comments, cursor: null })),
    http.delete('*/api/v1/community/comment', ({ request }) => {
      deleted.push(new URL(request.url).searchParams.get('commentSid') ?? '');
      comments = comments.filter(({ sid }) => String(sid) !== deleted.at(-1));
      return HttpResponse.json({ commentSid: 12 });
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  act(() => {
    dismissSnackbar();
    endSession('logout');
  });
});

describe('deleting a comment', () => {
  it('takes it away at once, and deletes it when nobody undoes it', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = open();
    await removeFirstOwn(user);
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Comment 13']);
    // The focus is on the next comment.
    expect(document.activeElement).toHaveAttribute('id', 'comment-13');
    expect(screen.getByText('댓글 삭제에 성공했습니다.')).toBeInTheDocument();
    expect(screen.getByText('방금 지운 댓글')).toBeVisible();
    shown = { ...shown, commentCount: 2 };
    expect(deleted).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await waitFor(() => expect(deleted).toEqual(['12']));
    expect(screen.queryByText('방금 지운 댓글')).toBeNull();
    expect(await screen.findByRole('heading', { level: 2, name: '댓글 2' })).toBeVisible();
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Comment 13']);
  });

  it('can be undone, which restores its place and sends nothing', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = open();
    await removeFirstOwn(user);
    await user.click(screen.getByText('취소'));
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Comment 12', 'Comment 13']);
    await removeFirstOwn(user);
    await user.click(screen.getByRole('button', { name: '되돌리기' }));
    expect(texts()).toEqual(['Post 1', 'Comment 11', 'Comment 12', 'Comment 13']);
    await waitFor(() => expect(document.activeElement).toHaveAttribute('id', 'comment-12'));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(deleted).toEqual([]);
  });

  it('ends in no comments, where the heading takes the focus', async () => {
    comments = [ownComment(12)];
    const { user } = open();
    await removeFirstOwn(user);
    expect(screen.getByText('댓글이 없습니다.')).toBeVisible();
    expect(document.activeElement).toHaveAttribute('id', 'comments');
  });

  it('is sent at once when the screen is left', async () => {
    const { user } = open();
    await removeFirstOwn(user);
    await user.click(screen.getByRole('button', { name: '뒤로 가기' }));
    await waitFor(() => expect(deleted).toEqual(['12']));
    expect(screen.queryByText('취소')).toBeNull();
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
    const { user } = open();
    await removeFirstOwn(user);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(deleted).toEqual([]);
    act(() => void go());
    await waitFor(() => expect(deleted).toEqual(['12']));
    const request = fetched.mock.calls.map(([input]) => input as Request).find(({ method }) => method === 'DELETE');
    expect(request?.keepalive).toBe(true);
  });

  it('sends the first one when a second is deleted', async () => {
    comments = [ownComment(11), ownComment(12)];
    const { user } = open();
    const menus = await screen.findAllByRole('button', { name: 'Me님 댓글 메뉴' });
    await user.click(menus[0] as HTMLElement);
    await user.click(screen.getByRole('menuitem', { name: '삭제' }));
    await user.click(screen.getByRole('button', { name: 'Me님 댓글 메뉴' }));
    await user.click(screen.getByRole('menuitem', { name: '삭제' }));
    await waitFor(() => expect(deleted).toEqual(['11']));
    await user.click(screen.getByText('취소'));
    expect(await screen.findByText('Comment 12')).toBeVisible();
    expect(screen.queryByText('Comment 11')).toBeNull();
  });

  it('leaves the place of one with replies', async () => {
    comments = [ownComment(12, { answerCount: 1, answers: [comment(21, { parentSid: 12, content: 'Reply 21' })] }), comment(13)];
    const { user } = open();
    await removeFirstOwn(user);
    expect(screen.getByText('삭제된 댓글입니다')).toBeVisible();
    expect(texts()).toEqual(['Post 1', 'Reply 21', 'Comment 13']);
    expect(document.activeElement).toHaveAttribute('id', 'comment-13');
  });

  it('takes a reply out of its comment', async () => {
    comments = [comment(11, { answerCount: 1, answers: [ownComment(21, { parentSid: 11, content: 'Reply 21' })] })];
    const { user } = open();
    await removeFirstOwn(user);
    expect(texts()).toEqual(['Post 1', 'Comment 11']);
    // The one before takes the focus.
    expect(document.activeElement).toHaveAttribute('id', 'comment-11');
    comments = [comment(11)];
    act(() => dismissSnackbar());
    await waitFor(() => expect(deleted).toEqual(['21']));
    expect(texts()).toEqual(['Post 1', 'Comment 11']);
  });

  it('comes back when it fails, and not when it was deleted already', async () => {
    server.use(http.delete('*/api/v1/community/comment', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = open();
    await removeFirstOwn(user);
    act(() => dismissSnackbar());
    expect(await screen.findByText('댓글을 지우지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    expect(await screen.findByText('Comment 12')).toBeVisible();
    server.use(http.delete('*/api/v1/community/comment', () => problem(404, 5003, 'COMMENT_NOT_FOUND'), { once: true }));
    comments = [comment(11), comment(13)];
    await removeFirstOwn(user);
    act(() => dismissSnackbar());
    await waitFor(() => expect(texts()).toEqual(['Post 1', 'Comment 11', 'Comment 13']));
    expect(screen.queryByText('댓글을 지우지 못했어요. 다시 시도해주세요.')).toBeNull();
  });
});
