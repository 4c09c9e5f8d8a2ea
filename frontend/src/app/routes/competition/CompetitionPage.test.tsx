import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Board, Competition } from '@/features/competition/types';
import { startSession } from '@/shared/api/session';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import CompetitionRoutes from './CompetitionRoutes';
import { board as sample, ended, entry, EVENT_SID, midnight, ongoing, scheduled } from './competitionSamples';

const EVENT = `*/api/v1/competition/${EVENT_SID}`;
const JOIN = '*/api/v1/competition/:sid/join';
let event: Competition;
let board: Board;
let isOn: boolean;
let joins: Record<string, unknown>[];
let leaves: Record<string, unknown>[];
let modes: Record<string, unknown>[];

const open = (at = `/competition/${EVENT_SID}`) =>
  renderApp(
    <Routes>
      <Route path="/competition/*" element={<CompetitionRoutes />} />
    </Routes>,
    { at },
  );

const bodyOf = async (request: { json: () => Promise<unknown> }) => (await request.json()) as Record<string, unknown>;

beforeEach(() => {
  event = ongoing;
  board = { ...sample, mine: null };
  isOn = false;
  joins = [];
  leaves = [];
  modes = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: isOn, competitionAccountSid: isOn ? entry.accountSid : null })),
    http.get('*/api/v1/competition/list', () => HttpResponse.json({ competitions: [event], hasNext: false })),
    http.get('*/api/v1/competition/:sid/board', () => HttpResponse.json(board)),
    http.get(EVENT, () => HttpResponse.json(event)),
    http.post(JOIN, async ({ request }) => {
      joins.push(await bodyOf(request));
      event = { ...event, canJoin: false, entry };
      return HttpResponse.json({ sid: event.sid, acno: entry.acno, accountSid: entry.accountSid, startCash: event.startCash, message: '대회 계좌를 열었어요' });
    }),
    http.delete(JOIN, async ({ request }) => {
      leaves.push(await bodyOf(request));
      event = { ...event, entry: { ...entry, hasLeft: true } };
      return HttpResponse.json({ sid: event.sid, message: '나가기를 마쳤어요' });
    }),
    http.patch('*/api/v1/member/competition-mode/:id', async ({ request }) => {
      modes.push(await bodyOf(request));
      isOn = true;
      return HttpResponse.json({ competitionMode: true, competitionAccountSid: entry.accountSid, eventSid: event.sid });
    }),
  );
});

const press = async (user: ReturnType<typeof open>['user'], dialog: string, name: string) => {
  // A sheet can also be closed at its top.
  const button = within(await screen.findByRole('dialog', { name: dialog })).getAllByRole('button', { name }).at(-1);
  if (button) await user.click(button);
};

describe('joining', () => {
  it('asks, joins once and trades in a running event', async () => {
    const { user, container } = open();
    expect(await screen.findByRole('heading', { name: 'Spring Cup' })).toBeVisible();
    expect(screen.getByText('D-12')).toBeVisible();
    expect(screen.getByText('1,000만원')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '대회 참여하기' }));
    expect(await screen.findByRole('dialog', { name: 'Spring Cup에 참여할까요?' })).toHaveTextContent('대회 계좌 1,000만원을 새로 열고 대회 모드로 바꿔요');
    expect(await axeViolations(container)).toEqual([]);
    expect(joins).toEqual([]);
    await press(user, 'Spring Cup에 참여할까요?', '참여하기');
    expect(await screen.findByText('지금 이 대회로 거래하고 있어요')).toBeVisible();
    expect(joins).toHaveLength(1);
    expect(joins[0]).toMatchObject({ memberSid: MEMBER_SID });
    expect(joins[0]).not.toHaveProperty('inviteCode');
    expect(joins[0]?.reqSid).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    expect(modes).toEqual([{ competitionMode: true, eventSid: EVENT_SID }]);
    expect(screen.queryByRole('button', { name: '대회 참여하기' })).toBeNull();
  });

  it('an event that has not begun leaves the mode as it is', async () => {
    event = { ...scheduled, sid: EVENT_SID };
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '대회 참여하기' }));
    await press(user, 'Summer Cup에 참여할까요?', '참여하기');
    expect(await screen.findByText('대회에 참여했어요')).toBeVisible();
    expect(modes).toEqual([]);
    expect(screen.queryByRole('button', { name: '대회 모드로 거래하기' })).toBeNull();
  });

  it('a league takes the code of the link, to read it and to join it', async () => {
    const asked: (string | null)[] = [];
    event = { ...ongoing, kind: 'LEAGUE' };
    server.use(
      http.get(EVENT, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('inviteCode'));
        return HttpResponse.json(event);
      }),
    );
    const { user } = open(`/competition/${EVENT_SID}?code=SEED42`);
    await user.click(await screen.findByRole('button', { name: '대회 참여하기' }));
    // The ranking of a league is its members' own.
    expect(screen.queryByRole('link', { name: '순위 모두 보기' })).toBeNull();
    await press(user, 'Spring Cup에 참여할까요?', '참여하기');
    await waitFor(() => expect(joins[0]).toMatchObject({ inviteCode: 'SEED42' }));
    expect(asked[0]).toBe('SEED42');
  });

  it('says why it was refused, and does not switch', async () => {
    server.use(http.post(JOIN, () => problem(422, 3081, 'COMPETITION_FULL', '자리가 모두 찼어요.')));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '대회 참여하기' }));
    await press(user, 'Spring Cup에 참여할까요?', '참여하기');
    expect(await screen.findByRole('alertdialog', { name: '대회에 참여하지 못했어요' })).toHaveTextContent('자리가 모두 찼어요.');
    expect(modes).toEqual([]);
  });

  it.each([
    ['is full', { mostEntrants: 1_234 }, '참여 인원이 다 찼어요'],
    ['is closed', {}, '지금은 참여할 수 없는 대회예요'],
    ['is not open yet', { joinFrom: midnight(2) }, `${midnight(2).slice(0, 10).replaceAll('-', '.')} 00:00부터 참여할 수 있어요`],
  ])('says when an event %s', async (_name, change, sentence) => {
    event = { ...ongoing, canJoin: false, ...change };
    open();
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.queryByRole('button', { name: '대회 참여하기' })).toBeNull();
  });
});

describe('taking part', () => {
  beforeEach(() => {
    event = { ...ongoing, canJoin: false, entry };
  });

  it('shows what a rank still requires', async () => {
    const { container } = open();
    const mine = await screen.findByRole('region', { name: '내 순위' });
    const meter = await within(mine).findByRole('meter', { name: '구매 횟수' });
    expect(meter).toHaveAttribute('aria-valuenow', '1');
    expect(meter).toHaveAttribute('aria-valuemax', '3');
    for (const text of ['3번 중 1번 샀어요', '2종목 중 1종목', '2일 중 1일']) expect(within(mine).getByText(text)).toBeVisible();
    expect(mine).toHaveTextContent('10,250,000원');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('shows the rank, the best three and the way to all', async () => {
    board = sample;
    open();
    expect(await screen.findByText('4위 · -1.25%')).toBeVisible();
    expect(screen.queryByRole('meter')).toBeNull();
    const best = within(screen.getByRole('list', { name: '1위부터 3위' })).getAllByRole('listitem');
    expect(best.map((step) => step.textContent)).toEqual([expect.stringContaining('1위Ann'), expect.stringContaining('2위Ben'), expect.stringContaining('3위Cho')]);
    expect(screen.getByRole('link', { name: '순위 모두 보기' })).toHaveAttribute('href', `/competition/${EVENT_SID}/leaderboard`);
  });

  it('can be traded in', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '대회 모드로 거래하기' }));
    expect(await screen.findByText('지금 이 대회로 거래하고 있어요')).toBeVisible();
    expect(modes).toEqual([{ competitionMode: true, eventSid: EVENT_SID }]);
    expect(screen.queryByRole('button', { name: '대회 모드로 거래하기' })).toBeNull();
  });

  it('ends for good after two confirmations', async () => {
    const { user, container } = open();
    await user.click(await screen.findByRole('button', { name: '대회에서 나가기' }));
    expect(await screen.findByRole('dialog', { name: '대회에서 나갈까요?' })).toHaveTextContent('나가면 다시 참여할 수 없어요');
    await press(user, '대회에서 나갈까요?', '나가기');
    await screen.findByRole('dialog', { name: '마지막으로 확인해주세요' });
    expect(leaves).toEqual([]);
    expect(await axeViolations(container)).toEqual([]);
    await press(user, '마지막으로 확인해주세요', '나가기');
    expect(await screen.findByText('나간 대회예요')).toBeVisible();
    expect(leaves).toHaveLength(1);
    expect(leaves[0]).toMatchObject({ memberSid: MEMBER_SID });
    expect(leaves[0]?.reqSid).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    expect(screen.queryByRole('button', { name: '대회에서 나가기' })).toBeNull();
    expect(screen.queryByRole('button', { name: '대회 참여하기' })).toBeNull();
  });

  it('goes on when either question is closed', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '대회에서 나가기' }));
    await press(user, '대회에서 나갈까요?', '닫기');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: '대회에서 나가기' }));
    await press(user, '대회에서 나갈까요?', '나가기');
    await press(user, '마지막으로 확인해주세요', '닫기');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(leaves).toEqual([]);
  });

  it('the host of a league can stop taking others in', async () => {
    const closed: Record<string, unknown>[] = [];
    event = { ...event, kind: 'LEAGUE', isHost: true, inviteCode: 'SEED42' };
    server.use(
      http.patch('*/api/v1/competition/league/:sid', async ({ request }) => {
        closed.push(await bodyOf(request));
        event = { ...event, isJoiningClosed: true };
        return HttpResponse.json(event);
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '참여 그만 받기' }));
    expect(closed).toEqual([]);
    await press(user, '참여를 그만 받을까요?', '참여 그만 받기');
    expect(await screen.findByText('이제 참여를 받지 않아요')).toBeVisible();
    expect(closed).toEqual([{ memberSid: MEMBER_SID, isJoiningClosed: true }]);
  });

  it('another member of a league cannot', async () => {
    event = { ...event, kind: 'LEAGUE', inviteCode: 'SEED42' };
    open();
    expect(await screen.findByText('SEED42')).toBeVisible();
    expect(screen.queryByRole('button', { name: '참여 그만 받기' })).toBeNull();
  });
});

describe('an event that has ended', () => {
  beforeEach(() => {
    event = { ...ended, sid: EVENT_SID, entry };
    board = { ...sample, isFinal: true };
  });

  it('shows the final rank and shares it', async () => {
    const { user, container } = open();
    expect(await screen.findByText('4위 · -1.25%')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '결과 공유하기' }));
    // jsdom keeps popovers hidden.
    expect(await screen.findByText('결과를 복사했어요')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe("시드업 대회 'Winter Cup' 4위, 수익률 +2.5%");
    expect(screen.queryByRole('button', { name: '대회에서 나가기' })).toBeNull();
    expect(screen.queryByRole('button', { name: '대회 모드로 거래하기' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('says that there is no rank', async () => {
    board = { ...board, mine: null };
    open();
    expect(await screen.findByText('순위 조건을 채우지 못했어요')).toBeVisible();
  });

  it('claims nothing before the result is final', async () => {
    board = { ...sample, isFinal: false };
    open();
    expect(await screen.findByText('결과를 정리하고 있어요')).toBeVisible();
    expect(screen.queryByText('4위 · -1.25%')).toBeNull();
    expect(screen.queryByRole('button', { name: '결과 공유하기' })).toBeNull();
  });
});

describe('prizes', () => {
  const prizes: Competition['prizes'] = [
    { board: 'RETURN', firstPlace: 1, lastPlace: 1, point: 1_500 },
    { board: 'CALM', firstPlace: 2, lastPlace: 3, point: 200 },
  ];
  const objection = { text: 'The last price was odd', time: midnight(0), status: 'PENDING' as const, answer: null };
  let objections: Record<string, unknown>[];
  const region = () => screen.findByRole('region', { name: '상품' });
  const dots = (days: number) => midnight(days).slice(0, 10).replaceAll('-', '.');

  beforeEach(() => {
    objections = [];
    event = { ...ongoing, prizes, awardAt: midnight(16) };
    server.use(
      http.post('*/api/v1/competition/:sid/objection', async ({ request }) => {
        objections.push(await bodyOf(request));
        event = { ...event, canObject: false, objection };
        return HttpResponse.json(objection);
      }),
    );
  });

  it('are told before the end', async () => {
    open();
    const shown = await region();
    expect(shown).toHaveTextContent('수익률 1위1,500P');
    expect(shown).toHaveTextContent('안정왕 2–3위200P');
    expect(shown).toHaveTextContent(`${dots(16)}부터 학습 포인트로 드려요`);
    expect(within(shown).queryByRole('button')).toBeNull();
  });

  it('an objection is sent once, and shown', async () => {
    event = { ...ended, sid: EVENT_SID, entry, prizes, awardAt: midnight(2), canObject: true };
    const { user, container } = open();
    expect(await region()).toHaveTextContent(`결과를 확인하고 ${dots(2)}부터 학습 포인트로 드려요`);
    await user.click(screen.getByRole('button', { name: '결과에 이의 제기하기' }));
    const sheet = await screen.findByRole('dialog', { name: '이의 제기' });
    const send = within(sheet).getByRole('button', { name: '보내기' });
    await user.type(within(sheet).getByRole('textbox', { name: '어떤 점이 이상했나요?' }), 'too short');
    await user.click(send);
    expect(await within(sheet).findByText('10자 이상 500자 이하로 적어주세요')).toHaveAttribute('role', 'alert');
    expect(within(sheet).getByText('9/500')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.type(within(sheet).getByRole('textbox'), ', but now long enough');
    await user.click(send);
    expect(await screen.findByText('살펴보고 있어요')).toBeVisible();
    expect(objections).toEqual([{ memberSid: MEMBER_SID, text: 'too short, but now long enough' }]);
    expect(screen.queryByRole('button', { name: '결과에 이의 제기하기' })).toBeNull();
  });

  it('keeps what was written of an objection that was refused', async () => {
    event = { ...ended, sid: EVENT_SID, entry, prizes, awardAt: midnight(2), canObject: true };
    server.use(http.post('*/api/v1/competition/:sid/objection', () => problem(422, 3074, 'COMPETITION_OBJECTION_CLOSED', '기간이 지났어요.')));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '결과에 이의 제기하기' }));
    const sheet = await screen.findByRole('dialog', { name: '이의 제기' });
    await user.type(within(sheet).getByRole('textbox'), 'long enough to be sent');
    await user.click(within(sheet).getByRole('button', { name: '보내기' }));
    expect(await screen.findByText('기간이 지났어요.')).toBeInTheDocument();
    expect(within(sheet).getByRole('textbox')).toHaveValue('long enough to be sent');
    await user.click(within(sheet).getAllByRole('button', { name: '닫기' })[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that were received or withheld are told with the answer', async () => {
    event = {
      ...ended,
      sid: EVENT_SID,
      entry,
      prizes,
      awardAt: midnight(-2),
      isAwarded: true,
      awards: [
        { board: 'RETURN', place: 1, point: 1_500, isWithheld: false },
        { board: 'CALM', place: 2, point: 200, isWithheld: true },
      ],
      objection: { ...objection, status: 'DISMISSED', answer: 'Looked at again.' },
    };
    open();
    const shown = await region();
    expect(shown).toHaveTextContent('수익률 1위 상품 1,500P를 받았어요');
    expect(shown).toHaveTextContent('이의 제기에 따라 안정왕 2위 상품은 드리지 않았어요');
    expect(shown).toHaveTextContent('상품을 모두 드렸어요');
    expect(shown).toHaveTextContent('결과는 그대로예요');
    expect(shown).toHaveTextContent('Looked at again.');
  });
});

describe('an event that cannot be shown', () => {
  it('may not be there', async () => {
    server.use(http.get(EVENT, () => problem(404, 3082, 'COMPETITION_NOT_FOUND')));
    open();
    expect(await screen.findByText('대회를 찾지 못했어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '목록으로 가기' })).toHaveAttribute('href', '/competition');
  });

  it('can be retried', async () => {
    server.use(http.get(EVENT, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get(EVENT, () => HttpResponse.json(event)));
    await user.click(retry);
    expect(await screen.findByRole('heading', { name: 'Spring Cup' })).toBeVisible();
  });

  it('an address without a number leads nowhere', async () => {
    open('/competition/x');
    expect(await screen.findByRole('heading', { name: '찾는 페이지가 없어요' })).toBeInTheDocument();
  });
});
