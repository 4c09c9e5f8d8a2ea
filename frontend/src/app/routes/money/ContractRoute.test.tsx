import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { ContractBody, ContractCloseBody, ContractPaymentBody } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { contractCard } from '@/testing/learnSamples';
import { cancelInfo, contract, CONTRACT_ACNO, savingsContract, schedule } from '@/testing/moneySamples';
import { depositDetail, interest, savings } from '@/testing/productSamples';
import { server } from '@/testing/server';
import { assets, member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

beforeEach(() => {
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([contract, savingsContract])),
    http.get('*/api/v1/product/account/:acno/member/:sid/schedule', () => HttpResponse.json(schedule)),
    http.get('*/api/v1/product/account/:acno/member/:sid/cancel-info', () => HttpResponse.json(cancelInfo)),
    http.get('*/api/v1/education/cards/:id', () => HttpResponse.json([])),
  );
});

describe('the contracts', () => {
  it('are listed with their sums and their progress', async () => {
    const ended = { ...contract, acno: '100000000303', name: '지난 예금', status: 'EARLY_CLOSED', closedOn: '2026-10-01', payoutAtMaturity: 1_002_540 };
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([contract, savingsContract, ended])));
    const { container } = openMoney('/my/contracts');
    const summary = await screen.findByRole('region', { name: '모두 더하면' });
    expect(summary).toHaveTextContent('3,900,000원');
    expect(within(summary).getByText('지금까지 이자').closest('div')).toHaveTextContent('15,000원');
    expect(screen.getByRole('link', { name: '새싹 정기예금' })).toHaveAttribute('href', `/my/contracts/${CONTRACT_ACNO}`);
    expect(screen.getAllByRole('progressbar', { name: '12개월 중 3개월 지났어요' })).toHaveLength(2);
    expect(within(screen.getByRole('region', { name: '끝난 예적금' })).getByText('받은 돈').closest('div')).toHaveTextContent('1,002,540원');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('say what needs the member: a payment that is late, those that were missed, and a term that is over', async () => {
    const late = { ...savingsContract, paymentsDue: 5, paymentsMissed: 1 };
    const kept = { ...contract, status: 'MATURED', maturityAction: 'KEEP', maturesOn: '2026-11-01', payoutAtMaturity: 3_091_000 };
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([late, kept])));
    openMoney('/my/contracts');
    expect(await screen.findByText('이번 회차 300,000원을 아직 넣지 못했어요')).toBeVisible();
    expect(screen.getByText('1번 넣지 못했어요')).toBeVisible();
    expect(screen.getByText('만기')).toBeVisible();
    expect(screen.getByText('지금 받을 돈').closest('div')).toHaveTextContent('3,091,000원');
    expect(screen.getAllByRole('progressbar')).toHaveLength(1);
  });

  it('can be retried when they do not load', async () => {
    server.use(http.get('*/api/v1/product/member/:sid', () => problem(422, 9_007, 'UNAVAILABLE'), { once: true }));
    const { user } = openMoney('/my/contracts');
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByRole('region', { name: '모두 더하면' })).toBeVisible();
  });

  it('may be none', async () => {
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([])));
    openMoney('/my/contracts');
    expect(await screen.findByText('아직 가입한 예적금이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '예적금 둘러보기' })).toHaveAttribute('href', '/invest-v2/product');
  });
});

describe('a contract', () => {
  it('shows its growth as a chart and as a table', async () => {
    const { user, container } = openMoney(`/my/contracts/${CONTRACT_ACNO}`);
    expect(await screen.findByRole('img', { name: '2026.10.21까지 넣은 돈 3,000,000원, 이자 17,500원' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: '표로 보기' }));
    const sheet = await screen.findByRole('dialog', { name: '돈이 쌓이는 과정' });
    expect(within(sheet).getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      '날짜내용금액',
      '2026.08.211회차3,000,000원',
      '2027.08.21이자105,000원',
      '2027.08.21세금-16,170원',
      '2027.08.21만기 지급3,088,830원',
    ]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('is closed for what was shown', async () => {
    const sent: ContractCloseBody[] = [];
    server.use(
      http.delete('*/api/v1/product', async ({ request }) => {
        sent.push((await request.json()) as ContractCloseBody);
        return HttpResponse.json({ contract: { ...contract, status: 'EARLY_CLOSED', closedOn: '2026-11-21' }, closed: cancelInfo, deposit: 7_796_350, message: '' });
      }),
    );
    const { user, container } = openMoney(`/my/contracts/${CONTRACT_ACNO}`);
    await user.click(await screen.findByRole('button', { name: '해지하기' }));
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 3,006,350원 받아요' });
    expect(sheet).toHaveTextContent('만기까지 두면 82,480원 더 받을 수 있어요');
    expect(within(sheet).getByText('세금').closest('div')).toHaveTextContent('-1,150원');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: '해지하기' }));
    expect(await screen.findByRole('heading', { name: '새싹 정기예금을 해지했어요' })).toHaveFocus();
    expect(screen.getByText('기본 계좌 잔액').closest('div')).toHaveTextContent('7,796,350원');
    expect(sent).toMatchObject([{ memberSid: MEMBER_SID, acno: CONTRACT_ACNO, payout: 3_006_350 }]);
  });

  it('teaches what closing it early has cost, also when the card comes later', async () => {
    const asked: (string | null)[] = [];
    const ended = { ...contract, status: 'EARLY_CLOSED', closedOn: '2026-11-21' };
    server.use(
      http.delete('*/api/v1/product', () => HttpResponse.json({ contract: ended, closed: cancelInfo, deposit: 7_796_350, message: '' })),
      http.get('*/api/v1/education/cards/:id', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('acno'));
        return HttpResponse.json(asked.length === 1 ? [] : [{ ...contractCard, acno: CONTRACT_ACNO }]);
      }),
    );
    const { user, container } = openMoney(`/my/contracts/${CONTRACT_ACNO}?close`);
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 3,006,350원 받아요' });
    await user.click(within(sheet).getByRole('button', { name: '해지하기' }));
    const lesson = await screen.findByRole('region', { name: '내 거래로 배우기' }, { timeout: 5_000 });
    expect(lesson).toHaveTextContent('세금을 떼기 전으로, 만기까지 뒀다면 이자 12,300원, 받은 이자는 1,200원이에요');
    await user.click(within(lesson).getByRole('button', { name: '이게 뭐예요?' }));
    expect(within(lesson).getByRole('link', { name: '문제 풀어보기' })).toHaveAttribute('href', `/study-v2/quiz/card/${CONTRACT_ACNO}/early_close`);
    expect(new Set(asked)).toEqual(new Set([CONTRACT_ACNO]));
    expect(await axeViolations(container)).toEqual([]);
  });

  it('that matured teaches nothing', async () => {
    const asked: string[] = [];
    const matured = { ...contract, status: 'MATURED', closedOn: '2026-11-21' };
    server.use(
      http.delete('*/api/v1/product', () => HttpResponse.json({ contract: matured, closed: cancelInfo, deposit: 7_796_350, message: '' })),
      http.get('*/api/v1/education/cards/:id', ({ request }) => {
        asked.push(request.url);
        return HttpResponse.json([contractCard]);
      }),
    );
    const { user } = openMoney(`/my/contracts/${CONTRACT_ACNO}?close`);
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 3,006,350원 받아요' });
    await user.click(within(sheet).getByRole('button', { name: '해지하기' }));
    expect(await screen.findByText('기본 계좌 잔액')).toBeVisible();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked).toEqual([]);
  });

  it('asks again with the new sum when the payout has changed', async () => {
    const sent: ContractCloseBody[] = [];
    let info = cancelInfo;
    server.use(
      http.get('*/api/v1/product/account/:acno/member/:sid/cancel-info', () => HttpResponse.json(info)),
      http.delete('*/api/v1/product', async ({ request }) => {
        const body = (await request.json()) as ContractCloseBody;
        sent.push(body);
        if (body.payout === 3_009_000) return HttpResponse.json({ contract, closed: info, deposit: 1, message: '' });
        info = { ...cancelInfo, payout: 3_009_000 };
        return problem(409, 3_051, 'PAYOUT_CHANGED', '받을 돈이 바뀌었어요.');
      }),
    );
    const { user } = openMoney(`/my/contracts/${CONTRACT_ACNO}?close`);
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 3,006,350원 받아요' });
    await user.click(within(sheet).getByRole('button', { name: '해지하기' }));
    const again = await screen.findByRole('dialog', { name: '지금 해지하면 3,009,000원 받아요' });
    expect(within(again).getByText('그사이 받을 돈이 바뀌었어요. 다시 확인해주세요.')).toBeVisible();
    await user.click(within(again).getByRole('button', { name: '해지하기' }));
    expect(await screen.findByRole('heading', { name: '새싹 정기예금을 해지했어요' })).toBeVisible();
    expect(sent.map(({ payout }) => payout)).toEqual([3_006_350, 3_009_000]);
    expect(sent[0]?.reqSid).not.toBe(sent[1]?.reqSid);
  });

  it('says of savings what is lost, without the payments still to come', async () => {
    const info = { ...cancelInfo, acno: savingsContract.acno, principal: 900_000, payout: 902_000, payoutAtMaturity: 3_640_000, loss: 31_400 };
    server.use(http.get('*/api/v1/product/account/:acno/member/:sid/cancel-info', () => HttpResponse.json(info)));
    openMoney(`/my/contracts/${savingsContract.acno}?close`);
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 902,000원 받아요' });
    expect(sheet).toHaveTextContent('만기까지 두면 31,400원 더 받을 수 있어요');
  });

  it('that ended elsewhere is not closed again', async () => {
    server.use(http.delete('*/api/v1/product', () => problem(409, 3_050, 'CONTRACT_CLOSED', '이미 끝난 계약이에요.')));
    const { user } = openMoney(`/my/contracts/${CONTRACT_ACNO}?close`);
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 3,006,350원 받아요' });
    await user.click(within(sheet).getByRole('button', { name: '해지하기' }));
    expect(await screen.findByRole('alertdialog', { name: '해지하지 못했어요' })).toHaveTextContent('이미 끝난 계약이에요.');
  });

  it('is closed once, and shows its receipt, although the reply was lost', async () => {
    const sent: ContractCloseBody[] = [];
    let isClosed = false;
    const ended = { ...contract, status: 'EARLY_CLOSED', closedOn: '2026-11-21' };
    server.use(
      http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([isClosed ? ended : contract])),
      http.delete('*/api/v1/product', async ({ request }) => {
        sent.push((await request.json()) as ContractCloseBody);
        if (isClosed) return HttpResponse.json({ contract: ended, closed: cancelInfo, deposit: 7_796_350, message: '' });
        isClosed = true;
        return HttpResponse.error();
      }),
    );
    const { user } = openMoney(`/my/contracts/${CONTRACT_ACNO}?close`);
    const sheet = await screen.findByRole('dialog', { name: '지금 해지하면 3,006,350원 받아요' });
    await user.click(within(sheet).getByRole('button', { name: '해지하기' }));
    const unknown = await screen.findByRole('alertdialog', { name: '처리됐는지 확인하지 못했어요' });
    expect(await screen.findByText('중도 해지')).toBeInTheDocument();
    await user.click(within(unknown).getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('기본 계좌 잔액')).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('that is kept after maturity says so', async () => {
    const kept = { ...contract, status: 'MATURED', maturityAction: 'KEEP', maturesOn: '2026-11-01', monthsElapsed: 12 };
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([kept])));
    const { user } = openMoney(`/my/contracts/${CONTRACT_ACNO}`);
    expect(await screen.findByText('만기가 지났어요')).toBeVisible();
    expect(screen.queryByRole('progressbar')).toBeNull();
    await user.click(await screen.findByRole('button', { name: '표로 보기' }));
    const sheet = await screen.findByRole('dialog', { name: '돈이 쌓이는 과정' });
    expect(within(sheet).getByText('만기 금액')).toBeVisible();
  });

  it('that was closed early shows what was paid out, and no plan', async () => {
    const closed = { ...contract, status: 'EARLY_CLOSED', closedOn: '2026-11-21', accrued: 7_500, payoutAtMaturity: 3_006_350 };
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([closed])));
    const { user } = openMoney(`/my/contracts/${CONTRACT_ACNO}`);
    const hero = await screen.findByRole('region', { name: '새싹 정기예금' });
    expect(hero).toHaveTextContent('받은 돈3,006,350원');
    expect(screen.queryByRole('button', { name: '해지하기' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: '표로 보기' }));
    expect(screen.queryByRole('img')).toBeNull();
    const rows = within(await screen.findByRole('dialog', { name: '돈이 쌓이는 과정' })).getAllByRole('row');
    expect(rows.slice(-2).map(({ textContent }) => textContent)).toEqual(['2026.11.21세금-1,150원', '2026.11.21받은 돈3,006,350원']);
  });

  it('takes the payment of a month by hand', async () => {
    const sent: ContractPaymentBody[] = [];
    server.use(
      http.post('*/api/v1/product/payment', async ({ request }) => {
        sent.push((await request.json()) as ContractPaymentBody);
        return HttpResponse.json({ contract: savingsContract, message: '' });
      }),
    );
    const { user } = openMoney(`/my/contracts/${savingsContract.acno}`);
    await user.click(await screen.findByRole('button', { name: '돈 넣기' }));
    const sheet = await screen.findByRole('dialog', { name: '300,000원을 지금 넣을까요?' });
    expect(sheet).toHaveTextContent('기본 계좌에 4,790,000원 있어요');
    await user.click(within(sheet).getByRole('button', { name: '넣기' }));
    expect(await screen.findByText('300,000원을 넣었어요')).toBeInTheDocument();
    expect(sent).toMatchObject([{ acno: savingsContract.acno, amount: 300_000 }]);
  });

  it('of free saving takes any amount up to its cap', async () => {
    const free = { ...savingsContract, rsrvType: 'F', payable: 500_000, monthlyCap: 500_000, paidThisMonth: 0 };
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([free])));
    const { user, container } = openMoney(`/my/contracts/${free.acno}`);
    await user.click(await screen.findByRole('button', { name: '돈 넣기' }));
    await screen.findByRole('group', { name: '금액 입력' });
    await user.keyboard('500001');
    expect(await screen.findByText('지금은 500,000원까지 넣을 수 있어요')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.keyboard('{Backspace}');
    await user.click(screen.getByRole('button', { name: '넣기' }));
    expect(await screen.findByRole('dialog', { name: '50,000원을 지금 넣을까요?' })).toBeInTheDocument();
  });

  it('may be unknown', async () => {
    openMoney('/my/contracts/100000000999');
    expect(await screen.findByText('예적금을 찾을 수 없어요')).toBeVisible();
  });
});

describe('joining', () => {
  beforeEach(() => {
    server.use(
      http.get('*/api/v1/product/7', () => HttpResponse.json(depositDetail)),
      http.get('*/api/v1/product/7/interest', ({ request }) => {
        const isBest = new URL(request.url).searchParams.get('best') === 'true';
        return HttpResponse.json({ ...interest, payout: isBest ? 1_029_610 : 1_024_540 });
      }),
    );
  });

  it('confirms the terms of the calculator, at the best rate only for who says so', async () => {
    const sent: ContractBody[] = [];
    server.use(
      http.post('*/api/v1/product', async ({ request }) => {
        sent.push((await request.json()) as ContractBody);
        return HttpResponse.json({ contract: { ...contract, amount: 1_000_000, payoutAtMaturity: 1_029_610 }, message: '' });
      }),
    );
    const { user, container } = openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01');
    expect(await screen.findByText('12개월 뒤 1,024,540원 받아요')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: '우대 조건을 채운다고 할게요' }));
    expect(screen.getByText('기본 연 2.9% → 우대 연 3.5%')).toBeVisible();
    expect(await screen.findByText('12개월 뒤 1,029,610원 받아요')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: '다시 맡기기' }));
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '가입하기' }));
    const sheet = await screen.findByRole('dialog', { name: '새싹 정기예금에 가입할까요?' });
    expect(within(sheet).getByText('금리').closest('div')).toHaveTextContent('연 3.5%');
    expect(within(sheet).getByText('만기에 받을 돈').closest('div')).toHaveTextContent('1,029,610원');
    await user.click(within(sheet).getByRole('button', { name: '가입하기' }));
    expect(await screen.findByRole('heading', { name: '새싹 정기예금에 가입했어요' })).toHaveFocus();
    expect(sent).toMatchObject([
      { memberSid: MEMBER_SID, productSid: 7, saveTrm: 12, amount: 1_000_000, preferential: true, maturityAction: 'RENEW' },
    ]);
    expect(sent[0]).not.toHaveProperty('rsrvType');
    await user.click(screen.getByRole('button', { name: '내 예적금 보기' }));
    expect(screen.getByTestId('address')).toHaveTextContent(`/my/contracts/${CONTRACT_ACNO}`);
  });

  it('keeps the best rate chosen in the calculator, and says when the bank lists no conditions', async () => {
    server.use(http.get('*/api/v1/product/7', () => HttpResponse.json({ ...depositDetail, product: { ...depositDetail.product, joinConditions: '' } })));
    openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01&rate=best');
    expect(await screen.findByRole('checkbox', { name: '우대 조건을 채운다고 할게요' })).toBeChecked();
    expect(await screen.findByText('12개월 뒤 1,029,610원 받아요')).toBeVisible();
    expect(screen.getByText('은행이 정한 우대 조건이에요. 공시에는 자세한 내용이 없어요.')).toBeVisible();
  });

  const confirm = async (user: ReturnType<typeof openMoney>['user'], name = '새싹 정기예금') => {
    const open = await screen.findByRole('button', { name: '가입하기' });
    await waitFor(() => expect(open).not.toHaveAttribute('aria-disabled', 'true'));
    await user.click(open);
    return within(await screen.findByRole('dialog', { name: `${name}에 가입할까요?` }));
  };

  it('says before the confirmation what leaves the account, and what stays', async () => {
    const { user } = openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01');
    const sheet = await confirm(user);
    expect(sheet.getByText('맡길 금액').closest('div')).toHaveTextContent('1,000,000원');
    expect(sheet.getByText('가입한 뒤 기본 계좌').closest('div')).toHaveTextContent('3,790,000원');
    expect(sheet.getByText('세금을 뺀 이자').closest('div')).toHaveTextContent(`${interest.interestAfterTax.toLocaleString('ko-KR')}원`);
    expect(sheet.getByText('만기에 받을 돈').closest('div')).toHaveTextContent('1,024,540원');
  });

  it('sends one request for two taps, and the same one again when the reply was lost', async () => {
    const sent: ContractBody[] = [];
    server.use(
      http.post('*/api/v1/product', async ({ request }) => {
        sent.push((await request.json()) as ContractBody);
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (sent.length === 1) return HttpResponse.error();
        return HttpResponse.json({ contract, message: '' });
      }),
    );
    const { user } = openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01');
    const sheet = await confirm(user);
    await user.dblClick(sheet.getByRole('button', { name: '가입하기' }));
    const unknown = await screen.findByRole('alertdialog', { name: '처리됐는지 확인하지 못했어요' });
    expect(sent).toHaveLength(1);
    await user.click(within(unknown).getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByRole('heading', { name: '새싹 정기예금에 가입했어요' })).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
  });

  it('shows a refusal in the words of the server', async () => {
    server.use(http.post('*/api/v1/product', () => problem(422, 3_052, 'TOO_MANY_CONTRACTS', '예금과 적금은 50개까지 가입할 수 있어요.')));
    const { user } = openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01');
    const sheet = await confirm(user);
    await user.click(sheet.getByRole('button', { name: '가입하기' }));
    expect(await screen.findByRole('alertdialog', { name: '가입하지 못했어요' })).toHaveTextContent('예금과 적금은 50개까지 가입할 수 있어요.');
  });

  it('waits for the sums of the chosen terms', async () => {
    server.use(http.get('*/api/v1/product/7/interest', () => problem(503, 9_007, 'UNAVAILABLE')));
    openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01');
    expect(await screen.findAllByText('지금은 계산할 수 없어요. 연결되면 다시 계산할게요.')).not.toHaveLength(0);
    expect(screen.getByRole('button', { name: '가입하기' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('needs the money in the basic account', async () => {
    server.use(
      http.get('*/api/v1/product/7', () => HttpResponse.json(depositDetail)),
      http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [{ ...assets.accounts[0], available: 999_999 }] })),
    );
    openMoney('/my/contracts/join/7?amount=1000000&term=12&type=01');
    expect(await screen.findByText('기본 계좌에 1원이 모자라요')).toBeVisible();
    expect(screen.getByRole('button', { name: '가입하기' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('asks for the day of regular saving, and not for that of free saving', async () => {
    const regular = { ...savings, sid: 7, rsrvType: 'S' as const };
    const options = [
      { saveTrm: 12, intrRateType: '01', rsrvType: 'S', intrRate: 2.9, intrRate2: 3.5 },
      { saveTrm: 12, intrRateType: '01', rsrvType: 'F', intrRate: 2.5, intrRate2: 3 },
    ];
    server.use(http.get('*/api/v1/product/7', () => HttpResponse.json({ ...depositDetail, product: regular, options })));
    const sent: ContractBody[] = [];
    server.use(
      http.post('*/api/v1/product', async ({ request }) => {
        sent.push((await request.json()) as ContractBody);
        return HttpResponse.json({ contract: savingsContract, message: '' });
      }),
    );
    const first = openMoney('/my/contracts/join/7?amount=300000&term=12&type=01&reserve=S');
    await first.user.selectOptions(await screen.findByRole('combobox', { name: '매달 넣는 날' }), '25일');
    const sheet = await confirm(first.user, savings.prdtNm);
    expect(sheet.getByText('매달 넣는 날').closest('div')).toHaveTextContent('25일');
    await first.user.click(sheet.getByRole('button', { name: '가입하기' }));
    await waitFor(() => expect(sent).toMatchObject([{ amount: 300_000, rsrvType: 'S', transferDay: 25 }]));
    first.unmount();
    openMoney('/my/contracts/join/7?amount=300000&term=12&type=01&reserve=F');
    expect(await screen.findByText('자유적립')).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('leads back to the product without valid terms', async () => {
    openMoney('/my/contracts/join/7?amount=1&term=12&type=01');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/product/7'));
  });
});
