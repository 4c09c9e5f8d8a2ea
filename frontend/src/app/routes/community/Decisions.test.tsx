import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Comment, Hiding, OwnReportPage, Post, Sanction } from '@/features/community/types';
import { endSession, startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import CommunityPeopleRoute from './CommunityPeopleRoute';
import CommunityWriteRoute from './CommunityWriteRoute';
import { ownComment, ownPost, post } from './communitySamples';
import PostRoute from './PostRoute';

const UPHELD: Hiding = { status: 'HIDDEN', cause: 'UPHELD', rule: 'SPAM', reason: '<b>광고</b>가 있어요', until: null, mayAppeal: true, appeal: null };

let shown: Post;
let comments: Comment[];
let hiding: Hiding;
let sanction: Sanction | null;
let reports: OwnReportPage;
let asked: URLSearchParams[];
let sent: Record<string, unknown>[];

const open = (at = '/community/detail?communitySid=1') =>
  renderApp(
    <Routes>
      <Route path="/community/detail" element={<PostRoute />} />
      <Route path="/community/new" element={<CommunityWriteRoute />} />
      <Route path="/my/posts" element={<CommunityPeopleRoute screen="mine" />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    { at },
  );

beforeEach(() => {
  shown = ownPost(1, { status: 'HIDDEN' });
  comments = [];
  hiding = UPHELD;
  sanction = null;
  reports = { reports: [], cursor: null };
  asked = [];
  sent = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  const record = (reply: object) => async ({ request }: { request: Request }) => {
    sent.push((await request.json()) as Record<string, unknown>);
    return HttpResponse.json(reply);
  };
  server.use(
    http.get('*/api/v1/community/get-post-detail', () => HttpResponse.json(shown)),
    http.get('*/api/v1/community/comment', () => HttpResponse.json({ comments, cursor: null })),
    http.get('*/api/v1/community/hiding', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(hiding);
    }),
    http.post('*/api/v1/community/appeal', record({ sid: 1 })),
    http.put('*/api/v1/community/mute', record({ sid: 1, isMuted: true })),
    http.get('*/api/v1/community/standing/:sid', () => HttpResponse.json({ sanction })),
    http.get('*/api/v1/community/report/:sid', () => HttpResponse.json(reports)),
    http.get('*/api/v1/community/my-comments-and-likes', () => HttpResponse.json({ type: 'POST', posts: [], comments: [], cursor: null })),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  act(() => endSession('logout'));
});

describe('a hidden text', () => {
  it('says why it is hidden, in words and not in markup, and takes an appeal', async () => {
    const { user, container } = open();
    const notice = await screen.findByRole('region', { name: '신고를 확인하고 가렸어요' });
    expect(notice).toHaveTextContent('신고를 확인하고 가렸어요 지금은 나에게만 보여요이유: 스팸/리딩방<b>광고</b>가 있어요이의 제기하기');
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ memberSid: String(MEMBER_SID), kind: 'POST', sid: '1' });
    expect(await axeViolations(container)).toEqual([]);

    await user.click(within(notice).getByRole('button', { name: '이의 제기하기' }));
    const sheet = await screen.findByRole('dialog', { name: '이의를 제기할까요?' });
    await user.click(within(sheet).getByRole('button', { name: '이의 제기하기' }));
    expect(await within(sheet).findByText('까닭을 적어주세요')).toBeVisible();
    expect(sent).toEqual([]);
    hiding = { ...UPHELD, mayAppeal: false, appeal: { text: '규칙을 지켰어요', regDate: '2026-11-21T00:03:00Z', decidedDate: null, isUpheld: false } };
    await user.type(within(sheet).getByRole('textbox', { name: '가려지면 안 되는 까닭' }), ' 규칙을 지켰어요 ');
    await user.click(within(sheet).getByRole('button', { name: '이의 제기하기' }));
    expect(await screen.findByText('이의 제기를 받았어요. 확인해볼게요.')).toBeInTheDocument();
    expect(sent).toEqual([{ memberSid: MEMBER_SID, kind: 'POST', sid: 1, text: '규칙을 지켰어요', reqSid: expect.stringMatching(/^[\w-]{8,64}$/) as string }]);
    expect(await within(notice).findByText('이의 제기를 확인하고 있어요')).toBeVisible();
    expect(notice).toHaveTextContent('내가 쓴 까닭: 규칙을 지켰어요');
    expect(within(notice).queryByRole('button')).toBeNull();
  });

  it('keeps the request id of an appeal whose answer was lost, and shows a refusal', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '이의 제기하기' }));
    const sheet = await screen.findByRole('dialog', { name: '이의를 제기할까요?' });
    await user.type(within(sheet).getByRole('textbox'), '규칙을 지켰어요');
    const send = within(sheet).getByRole('button', { name: '이의 제기하기' });
    const keys: unknown[] = [];
    const answer = (reply: () => Response) =>
      server.use(
        http.post('*/api/v1/community/appeal', async ({ request }) => {
          keys.push(((await request.json()) as { reqSid: string }).reqSid);
          return reply();
        }),
      );
    answer(() => HttpResponse.error());
    await user.click(send);
    expect(await screen.findByText('이의를 제기하지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    const isBack = () => waitFor(() => expect(send).not.toHaveAttribute('aria-busy'));
    await isBack();
    answer(() => problem(408, 9012, 'REQUEST_TIMEOUT', '요청이 끝까지 오지 않았어요'));
    await user.click(send);
    expect(await screen.findByText('요청이 끝까지 오지 않았어요')).toBeInTheDocument();
    await isBack();
    answer(() => problem(409, 5032, 'ALREADY_APPEALED', '이의 제기는 글마다 한 번 할 수 있어요'));
    await user.click(send);
    expect(await screen.findByText('이의 제기는 글마다 한 번 할 수 있어요')).toBeInTheDocument();
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  });

  it.each([
    ['REPORTS', null, '신고가 쌓여 가려졌어요'],
    ['REFUSED', null, '확인한 뒤 올리지 않았어요'],
    ['RESTRICTED', '2026-12-21T00:03:00Z', '권리를 침해한다는 요청이 있어 잠시 가려졌어요'],
    ['REMOVED', null, '권리 침해를 확인하고 가렸어요'],
  ] as const)('because of %s', async (cause, until, title) => {
    shown = ownPost(1);
    comments = [ownComment(12, { status: 'HIDDEN' })];
    hiding = { ...UPHELD, cause, until, rule: null, reason: null, mayAppeal: false, appeal: { text: '제 글이에요', regDate: '2026-11-21T00:03:00Z', decidedDate: '2026-11-22T00:03:00Z', isUpheld: false } };
    open();
    const notice = await screen.findByRole('region', { name: title });
    expect(asked[0]?.get('kind')).toBe('COMMENT');
    expect(await within(notice).findByText('이의 제기를 확인했고, 계속 가려두기로 했어요')).toBeVisible();
    expect(within(notice).queryByText('2026.12.21까지 가려져요') !== null).toBe(until !== null);
  });

  it('is said to be hidden while the reason cannot be read', async () => {
    server.use(http.get('*/api/v1/community/hiding', () => problem(503, 9007, 'UNAVAILABLE')));
    open();
    expect(await screen.findByText('신고가 쌓여 가려졌어요')).toBeVisible();
    expect(screen.queryByRole('button', { name: '이의 제기하기' })).toBeNull();
  });
});

describe('a sanction', () => {
  const suspended: Sanction = { rung: 3, rule: 'ABUSE', reason: '욕설이 있어요', from: '2026-11-21T00:03:00Z', until: '2026-11-28T00:03:00Z', isActive: true };

  it.each([
    [suspended, '2026.11.28 09:03까지 글과 댓글을 쓸 수 없어요'],
    [{ ...suspended, rung: 5, until: null }, '더 이상 글과 댓글을 쓸 수 없어요'],
  ])('keeps from writing', async (given, text) => {
    sanction = given;
    const { user, container } = open('/community/new');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText('이유: 욕설')).toBeVisible();
    expect(screen.getByText('욕설이 있어요')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: '내용' }), 'x');
    const submit = screen.getByRole('button', { name: '올리기' });
    expect(submit).toHaveAttribute('aria-disabled', 'true');
    expect(submit).toHaveAccessibleDescription(expect.stringContaining(text) as string);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('warns at first, for a month', async () => {
    sanction = { ...suspended, rung: 1, isActive: false, from: new Date(Date.now() - 86_400_000).toISOString() };
    const first = open('/community/new');
    expect(await screen.findByText(/경고를 받았어요/)).toBeVisible();
    expect(screen.getByRole('button', { name: '올리기' })).not.toHaveAttribute('aria-disabled', 'true');
    first.unmount();
    sanction = { ...sanction, from: '2020-01-01T00:00:00Z' };
    open('/community/new');
    await screen.findByRole('textbox', { name: '내용' });
    expect(screen.queryByText(/경고를 받았어요/)).toBeNull();
  });
});

describe('own reports', () => {
  it('are listed with what became of them', async () => {
    const report = { sid: 3, kind: 'POST', textSid: 1, boardSid: 1, reason: 'SPAM', status: 'RECEIVED', regDate: '2026-11-21T00:03:00Z', decidedDate: null } as const;
    reports = {
      reports: [report, { ...report, sid: 2, kind: 'COMMENT', reason: 'ABUSE', status: 'UPHELD' }, { ...report, sid: 1, status: 'DISMISSED' }],
      cursor: null,
    };
    const { user } = open('/my/posts');
    await user.click(await screen.findByRole('button', { name: '내 신고' }));
    const sheet = await screen.findByRole('dialog', { name: '내 신고' });
    const rows = await within(sheet).findAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      '글 · 스팸/리딩방확인하고 있어요2026.11.21',
      '댓글 · 욕설확인하고 가렸어요2026.11.21',
      '글 · 스팸/리딩방문제가 없다고 봤어요2026.11.21',
    ]);
    expect(await axeViolations(sheet)).toEqual([]);
  });

  it('are none at first, and can be asked for again', async () => {
    server.use(http.get('*/api/v1/community/report/:sid', () => problem(503, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = open('/my/posts');
    await user.click(await screen.findByRole('button', { name: '내 신고' }));
    const sheet = await screen.findByRole('dialog', { name: '내 신고' });
    await user.click(await within(sheet).findByRole('button', { name: '다시 시도' }));
    expect(await within(sheet).findByText('신고한 글이 없어요')).toBeVisible();
  });
});

describe('a post of another', () => {
  it('is muted and heard again from its menu', async () => {
    shown = post(1);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Ann님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '알림 끄기' }));
    expect(await screen.findByText('이 글의 알림을 껐어요')).toBeInTheDocument();
    expect(sent).toEqual([{ memberSid: MEMBER_SID, sid: 1, on: true }]);
    await user.click(screen.getByRole('button', { name: 'Ann님 글 메뉴' }));
    expect(await screen.findByRole('button', { name: '알림 켜기' })).toBeVisible();
  });

  it('stays heard when that fails', async () => {
    shown = post(1);
    server.use(http.put('*/api/v1/community/mute', () => problem(503, 9007, 'UNAVAILABLE')));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Ann님 글 메뉴' }));
    await user.click(await screen.findByRole('button', { name: '알림 끄기' }));
    expect(await screen.findByText('알림을 바꾸지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    await waitFor(() => expect(shown.isMuted).toBe(false));
  });
});
