import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import { setPreference } from '@/shared/platform/preferences';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { contractAccount } from '@/testing/moneySamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, holding, MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import AccountRoute from './AccountRoute';

const basic = { ...assets.accounts[0], depositEducationPoint: 30_000, buyDeposit: 10_000, purchasedItems: 4_000, base: 5_036_000 };

beforeEach(() => {
  tickStore.clear();
  setPreference({ hideAmounts: false });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [basic] })),
    http.get('*/api/v1/stock/member/:sid', () => HttpResponse.json([holding])),
    http.get('*/api/v1/coin/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/commodity/member/:sid', () => HttpResponse.json([])),
  );
});

const fact = (name: string) => screen.getByText(name).closest('div');

describe('the accounts', () => {
  it('are cards with their content and their return', async () => {
    const { container } = renderApp(<AccountRoute />);
    const card = await screen.findByRole('region', { name: '기본 계좌' });
    await waitFor(() => expect(card).toHaveTextContent('5,003,900원'));
    // 5,003,900 against 5,000,000 + 30,000 + 10,000 − 4,000.
    expect(card).toHaveTextContent('▼32,100원 (0.64%)하락');
    expect(fact('현금')).toHaveTextContent('4,790,000원');
    expect(fact('주문 가능')).toHaveTextContent('4,790,000원');
    expect(fact('투자 금액')).toHaveTextContent('210,000원');
    expect(fact('평가 금액')).toHaveTextContent('213,900원');
    expect(screen.queryByText('주문에 묶어둔 돈')).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('follow the market', async () => {
    renderApp(<AccountRoute />);
    const card = await screen.findByRole('region', { name: '기본 계좌' });
    await waitFor(() => expect(card).toHaveTextContent('5,003,900원'));
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 80_000 }]));
    await waitFor(() => expect(card).toHaveTextContent('5,030,000원'), { timeout: 2_500 });
  });

  it('explain the cost base of their return', async () => {
    const { user, container } = renderApp(<AccountRoute />);
    await user.click(await screen.findByRole('button', { name: '기본 계좌 수익률 기준 보기' }));
    const sheet = await screen.findByRole('dialog', { name: '기본 자산이란' });
    expect(within(sheet).getByText('처음 받은 돈 + 포인트로 넣은 돈 + 구매한 돈 − 아이템 산 돈')).toBeVisible();
    expect(within(sheet).getByText('아이템 산 돈').closest('div')).toHaveTextContent('-4,000원');
    expect(within(sheet).getByText('기본 자산').closest('div')).toHaveTextContent('5,036,000원');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(sheet).getByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('show reserved money, and hide amounts', async () => {
    server.use(
      http.get('*/api/v1/invest/account/:id', () =>
        HttpResponse.json({ ...assets, accounts: [{ ...basic, held: 140_021, available: 4_649_979 }] }),
      ),
    );
    renderApp(<AccountRoute />);
    await screen.findByText('주문에 묶어둔 돈');
    expect(fact('주문에 묶어둔 돈')).toHaveTextContent('140,021원');
    act(() => setPreference({ hideAmounts: true }));
    expect(fact('주문에 묶어둔 돈')).not.toHaveTextContent('140,021');
  });

  it('offer only existing actions', async () => {
    renderApp(<AccountRoute />);
    await screen.findByRole('region', { name: '기본 계좌' });
    expect(within(screen.getByRole('main')).getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      '기본 계좌 수익률 기준 보기',
    ]);
  });

  it('show their allocation, and link to what changed them', async () => {
    renderApp(<AccountRoute />);
    const shares = await screen.findByRole('region', { name: '총자산 비중' });
    // 213,900 of 5,003,900.
    expect(shares).toHaveTextContent('주식 4.27%현금 95.73%');
    const ways = within(screen.getByRole('main')).getAllByRole('link');
    expect(ways.map((way) => way.getAttribute('href'))).toEqual([
      '/my/transfer',
      '/my/point-transfer',
      '/my/transfer/history',
      '/my/seasons',
      '/my/contracts',
      '/my/holdings',
      '/my/profit-loss',
      '/my/orders/history',
      '/my/orders/wait',
      '/my/dividends',
    ]);
  });

  it('show a contract with what it holds, and not as cash', async () => {
    server.use(http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [basic, contractAccount] })));
    const { container } = renderApp(<AccountRoute />);
    const card = await screen.findByRole('region', { name: '새싹 정기예금' });
    expect(card).toHaveTextContent('3,007,500원');
    expect(within(card).getByText('모은 돈').closest('div')).toHaveTextContent('3,000,000원');
    expect(within(card).getByText('쌓인 이자').closest('div')).toHaveTextContent('7,500원');
    expect(within(card).queryByText('주문 가능')).toBeNull();
    expect(within(card).getByRole('link', { name: '새싹 정기예금' })).toHaveAttribute('href', '/my/contracts/100000000203');
    // 213,900, 3,007,500 and 4,790,000 of 8,011,400.
    expect(await screen.findByRole('region', { name: '총자산 비중' })).toHaveTextContent('주식 2.67%예적금 37.54%현금 59.79%');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('can be retried after a failure', async () => {
    server.use(http.get('*/api/v1/invest/account/:id', () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = renderApp(<AccountRoute />);
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)));
    await user.click(retry);
    expect(await screen.findByRole('region', { name: '기본 계좌' })).toBeVisible();
  });
});
