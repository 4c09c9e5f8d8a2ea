import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Competition } from '@/features/competition/types';
import { startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import CompetitionRoutes from './CompetitionRoutes';
import { emptyBoard, ended, entry, midnight, ongoing, scheduled } from './competitionSamples';

const LIST = '*/api/v1/competition/list';
const LEAGUE = '*/api/v1/competition/league';
let list: Competition[];
let sent: Record<string, unknown>[];

const league: Competition = { ...scheduled, sid: 31, kind: 'LEAGUE', title: 'Our league', isHost: true, inviteCode: 'SEED42', canJoin: false, entry };

const open = () =>
  renderApp(
    <Routes>
      <Route path="/competition/*" element={<CompetitionRoutes />} />
    </Routes>,
    { at: '/competition' },
  );

beforeEach(() => {
  list = [ongoing, scheduled, ended];
  sent = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get(LIST, () => HttpResponse.json({ competitions: list, hasNext: false })),
    http.post(LEAGUE, async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json({ sid: 31, inviteCode: 'SEED42', acno: '990000000200', message: '리그를 만들었어요' });
    }),
    http.get('*/api/v1/competition/31', () => HttpResponse.json(league)),
    http.get('*/api/v1/competition/:sid/board', () => HttpResponse.json(emptyBoard)),
  );
});

describe('the events', () => {
  it('stand by status, each with its time, prize and entrants', async () => {
    const { container } = open();
    const running = await screen.findByRole('region', { name: '진행 중' });
    expect(screen.getByRole('heading', { level: 1, name: '대회' })).toBeVisible();
    expect(running).toHaveTextContent('진행 중D-12Spring Cup');
    expect(running).toHaveTextContent('상품 · Gold frame');
    expect(running).toHaveTextContent('1,234명 참여 중');
    expect(within(running).getByRole('link', { name: 'Spring Cup' })).toHaveAttribute('href', '/competition/7');
    expect(running).not.toHaveTextContent('Summer Cup');
    const coming = screen.getByRole('region', { name: '시작 전' });
    expect(coming).toHaveTextContent('3일 뒤 시작해요Summer Cup');
    expect(coming).not.toHaveTextContent('상품');
    const over = screen.getByRole('region', { name: '종료' });
    // An end at midnight is that of the day before.
    const lastDay = midnight(-6).slice(0, 10).replaceAll('-', '.');
    expect(over).toHaveTextContent(`Winter Cup${midnight(-20).slice(0, 10).replaceAll('-', '.')} – ${lastDay}`);
    expect(over).not.toHaveTextContent('D-');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('end today when midnight is next', async () => {
    list = [{ ...ongoing, endsAt: midnight(1) }];
    open();
    expect(await screen.findByText('오늘 끝나요')).toBeVisible();
  });

  it('mark the one that the member trades in', async () => {
    list = [{ ...ongoing, entry }, scheduled];
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true, competitionAccountSid: entry.accountSid })));
    open();
    const running = await screen.findByRole('region', { name: '진행 중' });
    await waitFor(() => expect(running).toHaveTextContent('지금 이 대회로 거래하고 있어요'));
    expect(screen.getAllByText('지금 이 대회로 거래하고 있어요')).toHaveLength(1);
  });

  it('come page by page', async () => {
    server.use(
      http.get(LIST, ({ request }) => {
        const page = new URL(request.url).searchParams.get('page');
        return HttpResponse.json(page === '0' ? { competitions: [ongoing], hasNext: true } : { competitions: [ongoing, ended], hasNext: false });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByRole('link', { name: 'Winter Cup' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Spring Cup' })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: '더 보기' })).toBeNull();
  });

  it('may be none', async () => {
    list = [];
    const { container } = open();
    expect(await screen.findByText('지금 열린 대회가 없어요')).toBeVisible();
    expect(screen.getByRole('button', { name: '리그 만들기' })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('can be retried after a failure to load', async () => {
    server.use(http.get(LIST, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get(LIST, () => HttpResponse.json({ competitions: list, hasNext: false })));
    await user.click(retry);
    expect(await screen.findByRole('link', { name: 'Spring Cup' })).toBeVisible();
  });
});

describe('a league', () => {
  const openForm = async (user: ReturnType<typeof open>['user']) => {
    await user.click(await screen.findByRole('button', { name: '리그 만들기' }));
    return within(await screen.findByRole('dialog', { name: '리그 만들기' }));
  };

  it('is made once and opens with its invite code', async () => {
    const { user, container } = open();
    const form = await openForm(user);
    expect(await axeViolations(container)).toEqual([]);
    await user.type(form.getByRole('textbox', { name: '리그 이름' }), '  Our league ');
    await user.click(form.getByRole('button', { name: '14일' }));
    await user.click(form.getByRole('button', { name: '1억원' }));
    await user.click(form.getByRole('button', { name: '50명' }));
    await user.click(form.getByRole('checkbox', { name: '서로의 보유 종목 보여주기' }));
    expect(form.getByText('15분 전 종목과 비중만 보이고 금액은 보이지 않아요')).toBeVisible();
    await user.click(form.getByRole('button', { name: '리그 만들기' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/competition\/31$/));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ memberSid: MEMBER_SID, title: 'Our league', days: 14, startCash: 100_000_000, mostEntrants: 50, showsHoldings: true });
    expect(sent[0]?.reqSid).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    const invite = await screen.findByRole('region', { name: '초대 코드' });
    expect(invite).toHaveTextContent('SEED42');
    await user.click(within(invite).getByRole('button', { name: '초대 코드 복사' }));
    // jsdom keeps popovers hidden.
    expect(await screen.findByText('초대 링크를 복사했어요')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/competition/31?code=SEED42`);
  });

  it('needs a name of two to twenty characters', async () => {
    const { user } = open();
    const form = await openForm(user);
    const name = form.getByRole('textbox', { name: '리그 이름' });
    await user.type(name, 'A');
    await user.click(form.getByRole('button', { name: '리그 만들기' }));
    expect(await form.findByText('2자 이상 20자 이하로 적어주세요')).toBeVisible();
    await user.type(name, 'B'.repeat(20));
    await user.click(form.getByRole('button', { name: '리그 만들기' }));
    expect(name).toBeInvalid();
    expect(sent).toEqual([]);
  });

  it('says why it was refused, and keeps what was typed', async () => {
    server.use(http.post(LEAGUE, () => problem(422, 3080, 'TOO_MANY_LEAGUES', '리그는 3개까지 만들 수 있어요.')));
    const { user } = open();
    const form = await openForm(user);
    await user.type(form.getByRole('textbox', { name: '리그 이름' }), 'Our league');
    await user.click(form.getByRole('button', { name: '리그 만들기' }));
    const refused = await screen.findByRole('alertdialog', { name: '리그를 만들지 못했어요' });
    expect(refused).toHaveTextContent('리그는 3개까지 만들 수 있어요.');
    await user.click(within(refused).getByRole('button', { name: '확인' }));
    expect(await screen.findByRole('textbox', { name: '리그 이름' })).toHaveValue('Our league');
  });
});
