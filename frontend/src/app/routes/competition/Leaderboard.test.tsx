import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boardQuery } from '@/features/competition/competitionApi';
import type { Board, Competition } from '@/features/competition/types';
import { competitionQuery } from '@/features/competition/competitionApi';
import { startSession } from '@/shared/api/session';
import { kstTime } from '@/shared/format/kst';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import CompetitionRoutes from './CompetitionRoutes';
import { board as sample, emptyBoard, EVENT_SID, midnight, ongoing, row } from './competitionSamples';

const BOARD = '*/api/v1/competition/:sid/board';
let event: Competition;
let board: Board;
let asked: (string | null)[];

const open = () =>
  renderApp(
    <Routes>
      <Route path="/competition/*" element={<CompetitionRoutes />} />
    </Routes>,
    { at: `/competition/${EVENT_SID}/leaderboard` },
  );

beforeEach(() => {
  event = ongoing;
  board = sample;
  asked = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get(BOARD, ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.get('kind'));
      return HttpResponse.json(board);
    }),
    http.get('*/api/v1/competition/:sid', () => HttpResponse.json(event)),
  );
});

afterEach(() => vi.useRealTimers());

const textsOf = (rows: readonly HTMLElement[]) => rows.map((one) => one.textContent);

describe('the ranking', () => {
  it('shows the podium, shared ranks, moves and the own row', async () => {
    const { container } = open();
    const table = await screen.findByRole('table', { name: '순위표' });
    expect(screen.getByRole('heading', { level: 1, name: '순위' })).toBeVisible();
    const best = within(screen.getByRole('list', { name: '1위부터 3위' })).getAllByRole('listitem');
    expect(textsOf(best)).toEqual([expect.stringMatching(/^1위Ann나뭇결▲12\.5%상승/), expect.stringMatching(/^2위Ben▲8%/), expect.stringMatching(/^3위Cho▲3%/)]);

    const [, dan, me, eve, own] = within(table).getAllByRole('row');
    expect(within(table).getAllByRole('row')).toHaveLength(5);
    expect(dan).toHaveTextContent(/^4▲22계단 오름.*Dan.*▼1\.25%하락$/);
    expect(me).toHaveTextContent(/^4▼11계단 내림.*Me나▼1\.25%하락$/);
    expect(eve).toHaveTextContent(/^6-순위 그대로.*Eve▼3%하락$/);
    expect(own).toHaveTextContent(/^4▼1.*Me나/);
    expect(own?.closest('tfoot')).not.toBeNull();
    expect(within(table).getByRole('rowheader', { name: /Dan/ })).toBeVisible();
    expect(screen.getByText(`${kstTime(new Date(sample.valuedAt ?? ''))} 기준`)).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('has no own row for who is not ranked, and no move for who had no rank', async () => {
    board = { ...sample, mine: null, rows: [...sample.rows.slice(0, 3), row(4, 'New', 1)] };
    open();
    const table = await screen.findByRole('table', { name: '순위표' });
    expect(within(table).getAllByRole('row')).toHaveLength(2);
    expect(table.querySelector('tfoot')).toBeNull();
    expect(table).not.toHaveTextContent('계단');
    expect(table).not.toHaveTextContent('순위 그대로');
  });

  it('goes on by the cursor, each entrant once', async () => {
    server.use(
      http.get(BOARD, ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor');
        if (cursor === null) return HttpResponse.json({ ...sample, cursor: '6' });
        return HttpResponse.json({ ...sample, rows: [row(6, 'Eve', -3), row(7, `After ${cursor}`, -4)], cursor: null });
      }),
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByRole('row', { name: /After 6/ })).toBeVisible();
    expect(screen.getAllByRole('row', { name: /Eve/ })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: '더 보기' })).toBeNull();
  });

  it('is also by calm, in an event of five days or more', async () => {
    const { user, container } = open();
    await user.click(await screen.findByRole('tab', { name: '안정왕' }));
    await waitFor(() => expect(asked).toContain('CALM'));
    expect(screen.getByRole('tabpanel', { name: '안정왕' })).toHaveTextContent('덜 떨어지면서 많이 번 순서예요');
    expect(await axeViolations(container)).toEqual([]);
  });

  it.each([
    ['four', 2, false],
    ['five', 3, true],
  ])('with %s days', async (_days, endsIn, hasTabs) => {
    event = { ...ongoing, startsAt: midnight(-2), endsAt: midnight(endsIn) };
    const { queryClient } = open();
    await screen.findByRole('table');
    await waitFor(() => expect(queryClient.getQueryData(competitionQuery(MEMBER_SID, EVENT_SID, null).queryKey)).toBeDefined());
    await waitFor(() => expect(screen.queryAllByRole('tab')).toHaveLength(hasTabs ? 2 : 0));
  });

  it('may be empty', async () => {
    board = emptyBoard;
    const { container } = open();
    expect(await screen.findByText('아직 참여한 사람이 없어요')).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('can be retried after a failure to load', async () => {
    server.use(http.get(BOARD, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get(BOARD, () => HttpResponse.json(board)));
    await user.click(retry);
    expect(await screen.findByRole('table', { name: '순위표' })).toBeVisible();
  });
});

describe('levels', () => {
  it('stand beside the names of who has one', async () => {
    board = { ...sample, rows: [row(1, 'Ann', 3, { level: 2 }), row(2, 'Ben', 2), row(3, 'Cho', 1), row(4, 'Dan', 0, { level: 9 })], mine: null };
    open();
    const table = await screen.findByRole('table', { name: '순위표' });
    expect(within(table).getByText('슈퍼리치')).toBeVisible();
    const best = within(screen.getByRole('list', { name: '1위부터 3위' }));
    expect(best.getByText('빈곤층')).toBeVisible();
    expect(best.getAllByRole('listitem')[1]).toHaveTextContent(/^2위Ben▲2%/);
  });
});

describe('what entrants own', () => {
  const HOLDINGS = '*/api/v1/competition/:sid/user/:userSid/holdings';
  const owned = {
    holdings: [{ isuSrtCd: '005930', isuKorNm: '삼성전자', marketCode: 'KOSPI', weight: 38.5 }],
    cashWeight: 61.5,
    asOf: new Date().toISOString(),
  };

  it('stays closed where the event does not show it', async () => {
    open();
    await screen.findByRole('table', { name: '순위표' });
    expect(screen.queryByRole('button', { name: /보유 종목 보기/ })).toBeNull();
  });

  it('is a sheet of weights, of others alone', async () => {
    event = { ...ongoing, showsHoldings: true };
    const of: unknown[] = [];
    server.use(
      http.get(HOLDINGS, ({ params }) => {
        of.push([params.sid, params.userSid]);
        return HttpResponse.json(owned);
      }),
    );
    const { user, container } = open();
    await user.click(await screen.findByRole('button', { name: 'Dan 보유 종목 보기' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Dan님의 보유 종목' }));
    expect(await sheet.findByText('38.5%')).toBeVisible();
    expect(sheet.getByText('삼성전자')).toBeVisible();
    expect(sheet.getByText('61.5%')).toBeVisible();
    expect(sheet.getByText(/15분 전에 가진 종목의 비중이에요/)).toBeVisible();
    expect(of).toEqual([[String(EVENT_SID), '4']]);
    expect(screen.queryByRole('button', { name: /^Me/ })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('may be nothing, and can be asked again after a failure', async () => {
    event = { ...ongoing, showsHoldings: true };
    server.use(http.get(HOLDINGS, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Ann 보유 종목 보기' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Ann님의 보유 종목' }));
    const retry = await sheet.findByRole('button', { name: '다시 시도' });
    server.use(http.get(HOLDINGS, () => HttpResponse.json({ ...owned, holdings: [], cashWeight: 100 })));
    await user.click(retry);
    expect(await sheet.findByText('가진 종목이 없어요')).toBeVisible();
    expect(sheet.getByText('100%')).toBeVisible();
  });
});

describe('refreshing', () => {
  it.each([
    ['asks again every half minute', false, 2],
    ['leaves a final ranking alone', true, 1],
  ])('%s', async (_name, isFinal, calls) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    board = { ...sample, isFinal };
    const { queryClient } = open();
    await screen.findByRole('table');
    const { queryKey } = boardQuery(MEMBER_SID, EVENT_SID, 'RETURN');
    // The tabs appear with the event; what is counted begins after them.
    await screen.findAllByRole('tab');
    await waitFor(() => expect(queryClient.isFetching({ queryKey })).toBe(0));
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(31_000);
    await waitFor(() => expect(asked.length - before).toBe(calls - 1));
  });
});
