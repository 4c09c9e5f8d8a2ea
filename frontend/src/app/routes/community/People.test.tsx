import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Comment, MemberInfo, Post } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { dismissSnackbar } from '@/shared/ui/snackbarStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import CommunityPeopleRoute from './CommunityPeopleRoute';
import { ANN, BEN, comment, info, ownComment, ownPost, post } from './communitySamples';

let person: MemberInfo;
let posts: Post[];
let comments: Comment[];
let blocked: { userSid: number; nickname: string }[];
let asked: [string, URLSearchParams][];

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/community/user-profile/:userSid" element={<CommunityPeopleRoute screen="profile" />} />
      <Route path="/my/posts" element={<CommunityPeopleRoute screen="mine" />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at },
  );
const address = () => screen.getByTestId('address').textContent;
const profile = `/community/user-profile/${String(ANN)}`;
const blockAnn = async (user: ReturnType<typeof renderApp>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'Ann님 메뉴' }));
  await user.click(screen.getByRole('menuitem', { name: '차단하기' }));
  const dialog = await screen.findByRole('dialog', { name: 'Ann님을 차단할까요?' });
  await user.click(within(dialog).getByRole('button', { name: '차단하기' }));
};

beforeEach(() => {
  person = info;
  posts = [post(3)];
  comments = [comment(11, { likeCount: 4, tagUserNickName: 'Cho', tagUserSid: 5 })];
  blocked = [{ userSid: BEN, nickname: 'Ben' }];
  asked = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  const actions =
    (call: string) =>
    ({ request }: { request: Request }) => {
      const query = new URL(request.url).searchParams;
      asked.push([call, query]);
      const type = query.get('type');
      return HttpResponse.json({ type, posts: type === 'COMMENT' ? [] : posts, comments: type === 'COMMENT' ? comments : [], cursor: null });
    };
  server.use(
    http.get('*/api/v1/community/community-member-info', () => HttpResponse.json(person)),
    http.get('*/api/v1/community/community-member-action', actions('member')),
    http.get('*/api/v1/community/my-comments-and-likes', actions('mine')),
    http.get('*/api/v1/community/block/:sid', () => HttpResponse.json({ members: blocked, cursor: null })),
    http.put('*/api/v1/community/block', async ({ request }) => {
      const { userSid, on } = (await request.json()) as { userSid: number; on: boolean };
      person = { ...person, isBlocked: on };
      if (!on) blocked = blocked.filter((one) => one.userSid !== userSid);
      return HttpResponse.json({ userSid, isFollowed: false, isBlocked: on });
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  act(() => endSession('logout'));
});

describe('a profile', () => {
  it('shows who somebody is and what they wrote', async () => {
    const { user, container } = open(profile);
    expect(await screen.findByRole('heading', { level: 1, name: 'Ann' })).toBeVisible();
    expect(screen.getByText('2026년 8월부터 함께했어요')).toBeVisible();
    expect(container).toHaveTextContent('Ann중산층나뭇결2026년 8월부터 함께했어요글12댓글34받은 좋아요1,234');
    expect(await screen.findByText('Post 3')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['글', '댓글']);
    await user.click(screen.getByRole('tab', { name: '댓글' }));
    const row = await screen.findByRole('link', { name: /Comment 11/ });
    expect(row).toHaveAttribute('href', '/community/detail?communitySid=1');
    expect(row).toHaveTextContent(/^@Cho Comment 11.*좋아요 4개 글 보기$/);
    expect(address()).toBe(`${profile}?tab=COMMENT`);
    expect(asked.map(([call, query]) => [call, query.get('userSid'), query.get('type')])).toEqual([
      ['member', String(ANN), 'POST'],
      ['member', String(ANN), 'COMMENT'],
    ]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('may say little and have nothing', async () => {
    person = { ...info, level: null, plate: null, joinedMonth: null };
    posts = [];
    comments = [];
    const { user } = open(profile);
    expect(await screen.findByText('아직 쓴 글이 없어요')).toBeVisible();
    expect(screen.queryByText(/함께했어요/)).toBeNull();
    // What is missing is theirs to write.
    expect(screen.queryByRole('link', { name: '커뮤니티 둘러보기' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: '댓글' }));
    expect(await screen.findByText('아직 쓴 댓글이 없어요')).toBeVisible();
  });

  it('has nothing only after its last page', async () => {
    server.use(
      http.get('*/api/v1/community/community-member-action', ({ request }) => {
        const isFirst = new URL(request.url).searchParams.get('cursor') === null;
        return HttpResponse.json({ type: 'POST', posts: isFirst ? [] : posts, comments: [], cursor: isFirst ? 'next' : null });
      }),
    );
    const { user } = open(profile);
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByText('Post 3')).toBeVisible();
  });

  it('can be followed and left', async () => {
    const sent: unknown[] = [];
    server.use(
      http.put('*/api/v1/community/follow', async ({ request }) => {
        const body = (await request.json()) as { on: boolean };
        sent.push(body);
        return HttpResponse.json({ userSid: ANN, isFollowed: body.on, isBlocked: false });
      }),
    );
    const { user } = open(profile);
    const button = await screen.findByRole('button', { name: '팔로우' });
    expect(button).toHaveAttribute('aria-pressed', 'false');
    await user.click(button);
    expect(await screen.findByRole('button', { name: '팔로우 중', pressed: true })).toBeVisible();
    await user.click(screen.getByRole('button', { name: '팔로우 중' }));
    expect(await screen.findByRole('button', { name: '팔로우', pressed: false })).toBeVisible();
    expect(sent).toEqual([
      { memberSid: MEMBER_SID, userSid: ANN, on: true },
      { memberSid: MEMBER_SID, userSid: ANN, on: false },
    ]);
  });

  it('tells when following failed, and waits for the connection', async () => {
    server.use(http.put('*/api/v1/community/follow', () => HttpResponse.error()));
    const { user } = open(profile);
    await user.click(await screen.findByRole('button', { name: '팔로우' }));
    expect(await screen.findByText('팔로우를 바꾸지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await user.click(screen.getByRole('button', { name: '팔로우' }));
    expect(await screen.findByText('연결되면 할 수 있어요')).toBeInTheDocument();
    vi.restoreAllMocks();
    act(() => void window.dispatchEvent(new Event('online')));
  });

  it('is blocked from its menu, and the block taken back there', async () => {
    const { user, container } = open(profile);
    await blockAnn(user);
    expect(await screen.findByText('차단한 사람이에요')).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ann님 메뉴' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
    act(() => dismissSnackbar());
    await waitFor(() => expect(person.isBlocked).toBe(true));
    const unblock = screen.getByRole('button', { name: '차단 풀기' });
    await waitFor(() => expect(unblock).not.toHaveAttribute('aria-busy'));
    await user.click(unblock);
    expect(await screen.findByText('Ann님 차단을 풀었어요')).toBeInTheDocument();
    expect(await screen.findByText('Post 3')).toBeVisible();
    expect(person.isBlocked).toBe(false);
  });

  it('is let back before anything was sent', async () => {
    const sent = vi.fn();
    server.use(
      http.put('*/api/v1/community/block', () => {
        sent();
        return HttpResponse.json({ userSid: ANN, isFollowed: false, isBlocked: true });
      }),
    );
    const { user } = open(profile);
    await blockAnn(user);
    await user.click(await screen.findByRole('button', { name: '차단 풀기' }));
    expect(await screen.findByText('Post 3')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Ann님 메뉴' })).toBeVisible();
    expect(sent).not.toHaveBeenCalled();
  });

  it('tells when blocking failed', async () => {
    server.use(http.put('*/api/v1/community/block', () => HttpResponse.error()));
    const { user } = open(profile);
    await blockAnn(user);
    act(() => dismissSnackbar());
    expect(await screen.findByText('차단하지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    expect(await screen.findByText('Post 3')).toBeVisible();
  });

  it('may be of nobody', async () => {
    server.use(http.get('*/api/v1/community/community-member-info', () => problem(404, 5004, 'MEMBER_NOT_FOUND')));
    open(profile);
    expect(await screen.findByText('회원을 찾지 못했어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '목록으로 가기' })).toHaveAttribute('href', '/community');
  });

  it('and its lists can be retried after a failure', async () => {
    server.use(
      http.get('*/api/v1/community/community-member-info', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }),
      http.get('*/api/v1/community/community-member-action', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }),
    );
    const { user } = open(profile);
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Ann' })).toBeVisible();
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('Post 3')).toBeVisible();
  });

  it.each(['/community/user-profile/23488', '/community/user-profile/x'])('does not exist at %s', async (at) => {
    open(at);
    expect(await screen.findByRole('heading', { level: 1, name: '찾는 페이지가 없어요' })).toBeInTheDocument();
  });

  it('of oneself is the own page; of a visitor nothing, because the app leads them to the login', async () => {
    const { unmount } = open(`/community/user-profile/${String(MEMBER_SID)}`);
    await waitFor(() => expect(address()).toBe('/my/posts'));
    unmount();
    act(() => endSession('logout'));
    open(profile);
    expect(screen.queryByRole('heading')).toBeNull();
  });
});

describe('the own posts', () => {
  it('are posts, comments and what was liked', async () => {
    posts = [ownPost(7)];
    comments = [ownComment(12, { status: 'HELD', regDate: 'unreadable' })];
    const { user, container } = open('/my/posts');
    expect(screen.getByRole('heading', { level: 1, name: '내 글과 댓글' })).toBeVisible();
    expect(await screen.findByText('Post 7')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('tab', { name: '댓글' }));
    expect(await screen.findByRole('link', { name: /Comment 12/ })).toHaveTextContent('확인하고 올릴게요');
    posts = [post(3)];
    await user.click(screen.getByRole('tab', { name: '좋아요' }));
    expect(await screen.findByText('Post 3')).toBeVisible();
    expect(asked.map(([call, query]) => [call, query.get('type')])).toEqual([
      ['mine', 'POST'],
      ['mine', 'COMMENT'],
      ['mine', 'LIKE'],
    ]);
  });

  it('go on by the cursor', async () => {
    server.use(
      http.get('*/api/v1/community/my-comments-and-likes', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === null
          ? HttpResponse.json({ type: 'POST', posts: [ownPost(7)], comments: [], cursor: 'next' })
          : HttpResponse.json({ type: 'POST', posts: [ownPost(6)], comments: [], cursor: null }),
      ),
    );
    const { user } = open('/my/posts');
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByText('Post 6')).toBeVisible();
  });

  it('lead to the community when there are none', async () => {
    posts = [];
    open('/my/posts?tab=LIKE');
    expect(await screen.findByText('아직 좋아요를 누른 글이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '커뮤니티 둘러보기' })).toHaveAttribute('href', '/community');
  });
});

describe('the blocked members', () => {
  it('are listed, and let back one by one', async () => {
    const { user, container } = open('/my/posts');
    await user.click(screen.getByRole('button', { name: '차단한 사람' }));
    const sheet = await screen.findByRole('dialog', { name: '차단한 사람' });
    expect(await within(sheet).findByText('Ben')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: '차단 풀기' }));
    expect(await screen.findByText('Ben님 차단을 풀었어요')).toBeInTheDocument();
    expect(await within(sheet).findByText('차단한 사람이 없어요')).toBeVisible();
  });

  it('go on by the cursor', async () => {
    server.use(
      http.get('*/api/v1/community/block/:sid', ({ request }) =>
        new URL(request.url).searchParams.get('cursor') === null
          ? HttpResponse.json({ members: blocked, cursor: 'next' })
          : HttpResponse.json({ members: [{ userSid: ANN, nickname: 'Ann' }], cursor: null }),
      ),
    );
    const { user } = open('/my/posts');
    await user.click(screen.getByRole('button', { name: '차단한 사람' }));
    const sheet = await screen.findByRole('dialog', { name: '차단한 사람' });
    await user.click(await within(sheet).findByRole('button', { name: '더 보기' }));
    expect(await within(sheet).findByText('Ann')).toBeVisible();
  });

  it('can be retried, and a failed change is told', async () => {
    server.use(
      http.get('*/api/v1/community/block/:sid', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }),
      http.put('*/api/v1/community/block', () => HttpResponse.error()),
    );
    const { user } = open('/my/posts');
    await user.click(screen.getByRole('button', { name: '차단한 사람' }));
    const sheet = await screen.findByRole('dialog', { name: '차단한 사람' });
    await user.click(await within(sheet).findByRole('button', { name: '다시 시도' }));
    await user.click(await within(sheet).findByRole('button', { name: '차단 풀기' }));
    expect(await screen.findByText('차단을 풀지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
  });
});
