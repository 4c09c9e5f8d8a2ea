import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { TransferBody } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { BASIC_ACNO, points, STOCK_ACNO, transferTerms, transferTermsOfStock } from '@/testing/moneySamples';
import { firstSeason } from '@/testing/seasonSamples';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

let sent: TransferBody[] = [];
const reply = (body: TransferBody) =>
  HttpResponse.json({
    transferSid: 1,
    status: 'COMPLETED',
    fromAcno: BASIC_ACNO,
    toAcno: STOCK_ACNO,
    amount: body.amount,
    fromDeposit: 4_790_000 - body.amount,
    toDeposit: 1_200_000 + body.amount,
    at: '2026-11-21T12:00:00+09:00',
    message: '',
  });

const type = async (user: ReturnType<typeof openMoney>['user'], digits: string) => {
  await screen.findByRole('group', { name: '금액 입력' });
  await user.keyboard(digits);
};

beforeEach(() => {
  sent = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/invest/season/member/:sid', () => HttpResponse.json(firstSeason)),
    http.get('*/api/v1/member/education-point', () => HttpResponse.json(points)),
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/invest/all-transfer-list/member/:sid', () => HttpResponse.json({ transfers: [], nextCursor: null })),
    http.get('*/api/v1/invest/transfer/member/:id/account/:acno', ({ params }) =>
      HttpResponse.json(params.acno === STOCK_ACNO ? transferTermsOfStock : transferTerms),
    ),
    http.post('*/api/v1/invest/transfer', async ({ request }) => {
      const body = (await request.json()) as TransferBody;
      sent.push(body);
      return reply(body);
    }),
  );
});

describe('a transfer', () => {
  it('asks for the account, the amount and a confirmation, and shows both balances', async () => {
    const { user, container } = openMoney('/my/transfer');
    await type(user, '50000');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '옮기기' }));
    const picker = await screen.findByRole('dialog', { name: '어디로 옮길까요?' });
    expect(within(picker).getByRole('button', { name: '코인 계좌 처음 옮기면 새로 열어드려요' })).toBeVisible();
    expect(within(picker).getByRole('button', { name: /^CMA 넣어두기만 해도 매일 이자가 붙는 계좌예요/ })).toBeVisible();
    await user.click(within(picker).getByRole('button', { name: /^주식 계좌/ }));
    await user.click(screen.getByRole('button', { name: '옮기기' }));
    const sheet = await screen.findByRole('dialog', { name: '기본 계좌에서 주식 계좌로 50,000원을 옮길까요?' });
    expect(within(sheet).getByText('옮긴 뒤 기본 계좌').closest('div')).toHaveTextContent('4,740,000원');
    expect(within(sheet).getByText('옮긴 뒤 주식 계좌').closest('div')).toHaveTextContent('1,250,000원');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: '옮기기' }));
    expect(await screen.findByRole('heading', { name: '50,000원을 옮겼어요' })).toHaveFocus();
    expect(sent).toMatchObject([{ memberSid: MEMBER_SID, fromAcno: BASIC_ACNO, toAcno: STOCK_ACNO, amount: 50_000 }]);
    expect(sent[0]?.reqSid).toMatch(/^[\w-]{8,64}$/);
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '내역 보기' }));
    expect(screen.getByTestId('address')).toHaveTextContent('/my/transfer/history');
  });

  it('opens an account that does not exist yet, by its code', async () => {
    const { user } = openMoney('/my/transfer?to=02');
    await type(user, '1');
    await user.click(screen.getByRole('button', { name: '옮기기' }));
    const sheet = await screen.findByRole('dialog', { name: '기본 계좌에서 코인 계좌로 1원을 옮길까요?' });
    expect(sheet).toHaveTextContent('코인 계좌를 새로 열고 옮겨요.');
    await user.click(within(sheet).getByRole('button', { name: '옮기기' }));
    await waitFor(() => expect(sent).toMatchObject([{ toAcno: '02', amount: 1 }]));
  });

  it('offers all that can be moved, and refuses more', async () => {
    const { user } = openMoney(`/my/transfer?to=${STOCK_ACNO}`);
    expect(await screen.findByText('최대 4,700,000원까지 옮길 수 있어요')).toBeVisible();
    expect(screen.getByText('주문에 묶어둔 90,000원은 옮길 수 없어요')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '최대' }));
    await user.click(screen.getByRole('button', { name: '+1만' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('보낼 수 있는 금액보다 많아요');
    expect(screen.getByRole('button', { name: '옮기기' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('swaps the accounts with their sums', async () => {
    const { user } = openMoney(`/my/transfer?to=${STOCK_ACNO}`);
    await user.click(await screen.findByRole('button', { name: '보낼 계좌와 받을 계좌 바꾸기' }));
    expect(await screen.findByText('최대 1,200,000원까지 옮길 수 있어요')).toBeVisible();
    expect(screen.getByRole('button', { name: /^보낼 계좌 주식 계좌/ })).toBeVisible();
    expect(screen.getByRole('button', { name: /^받을 계좌 기본 계좌/ })).toBeVisible();
  });

  it('keeps its request id when the reply was lost', async () => {
    let isLost = true;
    server.use(
      http.post('*/api/v1/invest/transfer', async ({ request }) => {
        const body = (await request.json()) as TransferBody;
        sent.push(body);
        if (!isLost) return reply(body);
        isLost = false;
        return problem(500, 9_001, 'INTERNAL');
      }),
    );
    const { user } = openMoney(`/my/transfer?to=${STOCK_ACNO}`);
    await type(user, '50000');
    await user.click(screen.getByRole('button', { name: '옮기기' }));
    await user.click(within(await screen.findByRole('dialog', { name: /옮길까요\?$/ })).getByRole('button', { name: '옮기기' }));
    const unknown = await screen.findByRole('alertdialog', { name: '처리됐는지 확인하지 못했어요' });
    await user.click(within(unknown).getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByRole('heading', { name: '50,000원을 옮겼어요' })).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('shows a refusal in the words of the server', async () => {
    server.use(http.post('*/api/v1/invest/transfer', () => problem(422, 3_040, 'TRANSFER_LIMIT', '하루에 100번까지 옮길 수 있어요.')));
    const { user } = openMoney(`/my/transfer?to=${STOCK_ACNO}`);
    await type(user, '50000');
    await user.click(screen.getByRole('button', { name: '옮기기' }));
    await user.click(within(await screen.findByRole('dialog', { name: /옮길까요\?$/ })).getByRole('button', { name: '옮기기' }));
    expect(await screen.findByRole('alertdialog', { name: '옮기지 못했어요' })).toHaveTextContent('하루에 100번까지 옮길 수 있어요.');
  });

  it('can be retried when its accounts do not load', async () => {
    server.use(http.get('*/api/v1/invest/transfer/member/:id/account/:acno', () => problem(503, 9_007, 'UNAVAILABLE'), { once: true }));
    const { user } = openMoney('/my/transfer');
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('최대 4,700,000원까지 옮길 수 있어요')).toBeVisible();
  });

  it('is explained once, before the first', async () => {
    let seen = 0;
    server.use(
      http.get('*/api/v1/member/education-point', () => HttpResponse.json({ ...points, popup: seen > 0 })),
      http.patch('*/api/v1/account/popup/:id', () => {
        seen += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, container } = openMoney('/my/transfer');
    const sheet = await screen.findByRole('dialog', { name: '계좌를 나눠서 연습해보세요' });
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: '알겠어요' }));
    await waitFor(() => expect(seen).toBe(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is not offered in a competition', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true })));
    openMoney('/my/transfer');
    expect(await screen.findByText('대회 모드에서는 쓸 수 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '마이에서 끄기' })).toHaveAttribute('href', '/my');
  });
});

describe('the movements of cash', () => {
  const moves = [
    { transferSid: 3, kind: 'TRANSFERRED', amount: 50_000, fromAcno: BASIC_ACNO, fromActNm: '기본 계좌', toAcno: STOCK_ACNO, toActNm: '주식 계좌', at: '2026-11-21T12:00:00+09:00' },
    { transferSid: 2, kind: 'DIVIDEND_PAID', amount: 3_610, fromAcno: null, fromActNm: null, toAcno: BASIC_ACNO, toActNm: '기본 계좌', at: '2026-11-20T09:00:00+09:00' },
    { transferSid: 1, kind: 'SOMETHING_NEW', amount: 7, fromAcno: BASIC_ACNO, fromActNm: '기본 계좌', toAcno: null, toActNm: null, at: '2026-11-20T08:00:00+09:00' },
  ];

  it('are listed by day, with their direction, of all accounts or of one', async () => {
    const asked: string[] = [];
    server.use(
      http.get('*/api/v1/invest/all-transfer-list/member/:sid', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.json({ transfers: moves, nextCursor: null });
      }),
    );
    const { user, container } = openMoney('/my/transfer/history');
    const day = await screen.findByRole('region', { name: '2026년 11월 20일' });
    expect(within(day).getByText('배당금').closest('li')).toHaveTextContent('+3,610원');
    expect(within(day).getByText('입출금').closest('li')).toHaveTextContent('-7원');
    expect(screen.getByText('기본 계좌 → 주식 계좌').closest('li')).toHaveTextContent('이체기본 계좌 → 주식 계좌50,000원12:00');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '주식 계좌' }));
    await waitFor(() => expect(asked).toEqual(['', `?acno=${STOCK_ACNO}`]));
    expect((await screen.findByText('기본 계좌 → 주식 계좌')).closest('li')).toHaveTextContent('+50,000원');
  });

  it('may be none', async () => {
    server.use(http.get('*/api/v1/invest/all-transfer-list/member/:sid', () => HttpResponse.json({ transfers: [], nextCursor: null })));
    openMoney('/my/transfer/history');
    expect(await screen.findByText('아직 돈이 오간 내역이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '이체하기' })).toHaveAttribute('href', '/my/transfer');
  });
});
