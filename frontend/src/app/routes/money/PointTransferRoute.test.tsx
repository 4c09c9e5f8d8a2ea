import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { PointMoveBody } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { points } from '@/testing/moneySamples';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

const move = async (user: ReturnType<typeof openMoney>['user'], digits: string) => {
  await screen.findByRole('group', { name: '금액 입력' });
  await user.keyboard(digits);
  await user.click(screen.getByRole('button', { name: '계좌로 옮기기' }));
  const sheet = await screen.findByRole('dialog', { name: `${digits}P를 계좌로 옮길까요?` });
  await user.click(within(sheet).getByRole('button', { name: '계좌로 옮기기' }));
};

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/education-point', () => HttpResponse.json(points)),
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
  );
});

describe('points', () => {
  it('become won, with the multiplier of the level', async () => {
    const sent: PointMoveBody[] = [];
    server.use(
      http.post('*/api/v1/account/educationPoint/:id', async ({ request, params }) => {
        expect(params.id).toBe(String(MEMBER_SID));
        sent.push((await request.json()) as PointMoveBody);
        return HttpResponse.json({ transPoint: 60, won: 78_000, multiplier: 1.3, level: 4, deposit: 4_868_000, educationPoint: 60, message: '' });
      }),
    );
    const { user, container } = openMoney('/my/point-transfer');
    expect(await screen.findByRole('region', { name: '내 포인트' })).toHaveTextContent('120P오늘 20P 모았어요 · 하루 최대 200P');
    expect(screen.getByText('중산층 혜택 1.3배')).toBeVisible();
    await user.keyboard('60');
    expect(await screen.findByText('계좌에 78,000원이 들어와요')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '계좌로 옮기기' }));
    const sheet = await screen.findByRole('dialog', { name: '60P를 계좌로 옮길까요?' });
    expect(within(sheet).getByText('기본 금액').closest('div')).toHaveTextContent('60,000원');
    expect(within(sheet).getByText('계좌에 들어올 돈').closest('div')).toHaveTextContent('78,000원');
    await user.click(within(sheet).getByRole('button', { name: '계좌로 옮기기' }));
    expect(await screen.findByRole('heading', { name: '계좌에 78,000원을 넣었어요' })).toHaveFocus();
    expect(screen.getByText('남은 포인트').closest('div')).toHaveTextContent('60P');
    expect(sent).toEqual([{ transPoint: 60, reqSid: expect.stringMatching(/^[\w-]{8,64}$/) as string }]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('beyond the balance are refused before they are sent', async () => {
    const { user } = openMoney('/my/point-transfer');
    await screen.findByRole('group', { name: '금액 입력' });
    await user.click(screen.getByRole('button', { name: '최대' }));
    await user.click(screen.getByRole('button', { name: '+10P' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('가진 포인트보다 많아요');
  });

  it.each([
    ['INSUFFICIENT_POINTS', 422, '포인트가 모자라요', '학습포인트 이전에 실패했습니다: 잔액 부족'],
    ['COMPETITION_LOCKED', 422, '', '학습포인트 이전에 실패했습니다: 대회 계좌 불가'],
    ['REQ_SID_REUSED', 409, '', '학습포인트 이전에 실패했습니다: 이미 처리된 요청'],
    ['INVALID_FIELD', 400, '학습포인트 이전에 실패했습니다: 잔액 부족', '학습포인트 이전에 실패했습니다: 잔액 부족'],
    ['SOMETHING_ELSE', 422, '지금은 옮길 수 없어요.', '학습포인트 이전에 실패했습니다: 지금은 옮길 수 없어요.'],
  ])('that cannot be moved (%s) are explained in the given sentence', async (reason, status, message, sentence) => {
    server.use(http.post('*/api/v1/account/educationPoint/:id', () => problem(status, 3_050, reason, message)));
    const { user } = openMoney('/my/point-transfer');
    await move(user, '60');
    const dialog = await screen.findByRole('alertdialog', { name: '포인트를 옮기지 못했어요' });
    expect(within(dialog).getByText(sentence)).toBeVisible();
  });

  it('may be none', async () => {
    server.use(http.get('*/api/v1/member/education-point', () => HttpResponse.json({ ...points, educationPoint: 0 })));
    openMoney('/my/point-transfer');
    expect(await screen.findByText('아직 포인트가 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '퀴즈 풀기' })).toHaveAttribute('href', '/study-v2');
    expect(screen.queryByRole('group', { name: '금액 입력' })).toBeNull();
  });
});

it('the history of points says where they came from and what became of them', async () => {
  server.use(
    http.get('*/api/v1/member/education-point/history/:sid', () =>
      HttpResponse.json({
        changes: [
          { sid: 3, type: 'MOVED', point: -50, reason: '', won: 65_000, multiplier: 1.3, time: '2026-11-21T12:00:00+09:00' },
          { sid: 2, type: 'EARNED', point: 20, reason: 'QUIZ', won: null, multiplier: null, time: '2026-11-20T10:00:00+09:00' },
          { sid: 1, type: 'SPENT', point: -30, reason: 'STREAK_REPAIR', won: null, multiplier: null, time: '2026-11-20T09:00:00+09:00' },
        ],
        nextCursor: null,
      }),
    ),
  );
  const { container } = openMoney('/my/point-transfer/history');
  expect((await screen.findByText('포인트 이전')).closest('li')).toHaveTextContent('65,000원 · 1.3배-50P12:00');
  const day = screen.getByRole('region', { name: '2026년 11월 20일' });
  expect(within(day).getByText('퀴즈').closest('li')).toHaveTextContent('+20P');
  expect(within(day).getByText('연속 학습 되살리기').closest('li')).toHaveTextContent('-30P');
  expect(screen.getByText('모은 포인트').closest('div')).toHaveTextContent('170P');
  expect(await axeViolations(container)).toEqual([]);
});
