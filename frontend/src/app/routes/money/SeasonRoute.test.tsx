import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { Seasons } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { firstSeason, secondSeason } from '@/testing/seasonSamples';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

const RESET = '*/api/v1/invest/reset/member/:id';
let seasons: Seasons = firstSeason;
let sent: Record<string, unknown>[] = [];

const open = (at = '/my/seasons') => openMoney(at);

beforeEach(() => {
  localStorage.clear();
  seasons = firstSeason;
  sent = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/invest/season/member/:sid', () => HttpResponse.json(seasons)),
    http.post(RESET, async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      seasons = secondSeason;
      return HttpResponse.json({ season: 2, deposit: 5_000_000, usedTicket: false, nextAt: secondSeason.nextAt, message: '2번째 시즌을 시작했어요' });
    }),
  );
});

const press = async (user: ReturnType<typeof open>['user'], dialog: string, name: string) => {
  // A sheet can also be closed at its top.
  const button = within(await screen.findByRole('dialog', { name: dialog })).getAllByRole('button', { name }).at(-1);
  await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'), { timeout: 2_000 });
  if (button) await user.click(button);
};

describe('beginning again', () => {
  it('asks twice, resets once and shows the season before', async () => {
    const { user, container } = open();
    expect(await screen.findByText('5,000,000원으로 다시 시작할 수 있어요')).toBeVisible();
    expect(screen.queryByText('지난 시즌')).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '투자 초기화' }));
    const question = await screen.findByRole('dialog', { name: '처음부터 다시 시작할까요?' });
    expect(question).toHaveTextContent('보유 종목과 주문이 모두 사라지고 되돌릴 수 없어요');
    expect(await axeViolations(container)).toEqual([]);
    await press(user, '처음부터 다시 시작할까요?', '초기화하기');
    expect(sent).toEqual([]);
    const last = await screen.findByRole('dialog', { name: '마지막으로 확인해주세요' });
    expect(last).toHaveTextContent('다음 시즌시즌 2새로 받을 돈5,000,000원');
    expect(await axeViolations(container)).toEqual([]);
    await press(user, '마지막으로 확인해주세요', '초기화하기');
    await screen.findByText('2번째 시즌을 시작했어요');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ memberSid: MEMBER_SID, useTicket: false, season: 1 });
    expect(sent[0]?.reqSid).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    const past = await screen.findByRole('link', { name: /시즌 1/ });
    expect(past).toHaveTextContent('2026.11.01 – 2026.11.205,250,000원▲250,000원 (5%)');
    expect(past).toHaveAttribute('href', '/my/profit-loss?season=1');
    expect(screen.getByText(/2026\.11\.27 10:00부터 다시 초기화할 수 있어요/)).toBeVisible();
    expect(screen.queryByRole('button', { name: '투자 초기화' })).toBeNull();
    expect(screen.getByRole('link', { name: '다시 시작 티켓 보기' })).toHaveAttribute('href', '/my/items');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('can be left at both questions', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '투자 초기화' }));
    await press(user, '처음부터 다시 시작할까요?', '닫기');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: '투자 초기화' }));
    await press(user, '처음부터 다시 시작할까요?', '초기화하기');
    await press(user, '마지막으로 확인해주세요', '닫기');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([]);
  });

  it('takes a ticket when it is too soon', async () => {
    seasons = { ...secondSeason, tickets: 2 };
    const { user } = open();
    expect(await screen.findByText('다시 시작 티켓 2장')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '티켓 쓰고 초기화' }));
    await press(user, '처음부터 다시 시작할까요?', '초기화하기');
    expect(await screen.findByRole('dialog', { name: '마지막으로 확인해주세요' })).toHaveTextContent('쓸 티켓1장');
    await press(user, '마지막으로 확인해주세요', '초기화하기');
    await waitFor(() => expect(sent[0]).toMatchObject({ useTicket: true }));
  });

  it('says why it was refused', async () => {
    server.use(http.post(RESET, () => problem(422, 3056, 'RESET_TOO_SOON', '초기화는 7일에 한 번 할 수 있어요.')));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '투자 초기화' }));
    await press(user, '처음부터 다시 시작할까요?', '초기화하기');
    await press(user, '마지막으로 확인해주세요', '초기화하기');
    const refused = await screen.findByRole('alertdialog', { name: '초기화하지 못했어요' });
    expect(refused).toHaveTextContent('초기화는 7일에 한 번 할 수 있어요.');
  });

  it('can be retried after a failure to load', async () => {
    server.use(http.get('*/api/v1/invest/season/member/:sid', () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get('*/api/v1/invest/season/member/:sid', () => HttpResponse.json(seasons)));
    await user.click(retry);
    expect(await screen.findByRole('button', { name: '투자 초기화' })).toBeVisible();
  });

  it('waits while the member competes', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true })));
    open();
    await waitFor(() => expect(screen.queryByRole('button', { name: '투자 초기화' })).toBeNull());
  });
});

describe('a season that has ended', () => {
  it('is chosen in the history of cash', async () => {
    seasons = secondSeason;
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/v1/invest/transfer/member/:id/account/:acno', () => problem(422, 9007, 'UNAVAILABLE')),
      http.get('*/api/v1/invest/all-transfer-list/member/:sid', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('season'));
        const closed = { transferSid: 9, kind: 'SEASON_CLOSED', amount: 4_800_000, fromAcno: '100000000100', fromActNm: '기본 계좌', toAcno: null, toActNm: null, fromDeposit: null, toDeposit: null, reqSid: null, at: '2026-11-20T10:00:00+09:00' };
        return HttpResponse.json({ transfers: [closed], nextCursor: null });
      }),
    );
    const { user } = open('/my/transfer/history');
    await user.click(await screen.findByRole('button', { name: '시즌 1' }));
    expect(await screen.findByText('시즌 마무리')).toBeVisible();
    await waitFor(() => expect(asked.at(-1)).toBe('1'));
    expect(screen.getByTestId('address')).toHaveTextContent('/my/transfer/history?season=1');
    await user.click(screen.getByRole('button', { name: '이번 시즌' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/history$/));
  });
});
