import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account, Holding, OrderTerms } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { answer, beginOrders, factOf, field, key, render, sent, sheet } from '@/testing/orderSheet';
import { previewOf } from '@/testing/previewSample';
import { server } from '@/testing/server';
import { assets, filledOrder, holding, samsungTerms } from '@/testing/wireSamples';

const STOCK = '100000000201';
const [basic] = assets.accounts as [Account];
const stockAccount: Account = { ...basic, acno: STOCK, actTcd: '01', actNm: '주식 계좌', available: 500_000 };
const cash: Record<string, Partial<OrderTerms>> = {
  '00': { availableCash: 4_790_000, maxBuyQty: 60, sellableQty: 3 },
  [STOCK]: { acno: STOCK, availableCash: 500_000, maxBuyQty: 6, sellableQty: 2 },
};

let previews: { acno?: string }[] = [];

function answerAccounts(holdings: Holding[] = []) {
  answer({ order: { ...filledOrder, acno: STOCK } });
  server.use(
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [basic, stockAccount] })),
    http.get('*/api/v1/stock/member/:sid/code/:code', () => HttpResponse.json(holdings)),
    http.get('*/api/v1/invest/member/:id/code/:code', ({ request }) =>
      HttpResponse.json({ ...samsungTerms, ...cash[new URL(request.url).searchParams.get('acno') ?? ''] }),
    ),
    http.post('*/api/v1/invest/preview', async ({ request }) => {
      const body = (await request.json()) as { acno: string };
      previews.push(body);
      return HttpResponse.json(previewOf(body as never));
    }),
  );
}

const row = (text: RegExp) => screen.findByRole('button', { name: text });
const picker = () => screen.findByRole('dialog', { name: /^어느 계좌에서/ });

beforeEach(() => {
  beginOrders();
  localStorage.clear();
  previews = [];
});

describe('the account of a purchase', () => {
  it('is chosen from those that may hold it, and goes with capacity, preview and order', async () => {
    answerAccounts();
    const { user, container } = render('buy');
    await user.click(await row(/^기본 계좌 · 주문 가능 4,790,000원/));
    const choices = within(await picker()).getAllByRole('radio');
    expect(choices.map((choice) => [choice.getAttribute('aria-labelledby') !== null, (choice as HTMLInputElement).checked])).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(await picker()).getByRole('radio', { name: '주식 계좌 주문 가능 500,000원' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^어느 계좌에서/ })).toBeNull());
    await row(/^주식 계좌 · 주문 가능 500,000원/);

    await user.click(key('7'));
    expect(await screen.findByText('여유 5%를 더하면 최대 6주까지 살 수 있어요')).toBeVisible();
    await user.click(key('한 글자 지우기'));
    await user.click(key('3'));
    await user.click(key('구매하기'));
    const confirm = await sheet();
    expect(factOf(confirm, '계좌')).toHaveTextContent('주식 계좌');
    await waitFor(() => expect(previews.at(-1)).toMatchObject({ acno: STOCK }));
    await user.click(within(confirm).getByRole('button', { name: '구매하기' }));
    await screen.findByRole('heading', { name: '삼성전자 구매 주문 완료' });
    expect(sent).toMatchObject([{ acno: STOCK, juQty: 3 }]);
    expect(factOf(container, '계좌')).toHaveTextContent('주식 계좌');
  });

  it('is the one used last the next time', async () => {
    localStorage.setItem(`order-account ${String(assets.memberSid)} stock`, STOCK);
    answerAccounts();
    render('buy');
    expect(await row(/^주식 계좌 · 주문 가능 500,000원/)).toBeVisible();
  });

  it('stays over a reload, and a share chosen of another account follows it', async () => {
    answerAccounts();
    const first = render('buy');
    await first.user.click(await row(/^기본 계좌/));
    await first.user.click(within(await picker()).getByRole('radio', { name: /^주식 계좌/ }));
    await row(/^주식 계좌 · 주문 가능 500,000원/);
    await first.user.click(key('최대'));
    await waitFor(() => expect(field('수량')).toHaveTextContent('6주'));
    const stored = { ...sessionStorage } as Record<string, string>;
    first.unmount();
    for (const [name, text] of Object.entries(stored)) sessionStorage.setItem(name, text);

    cash[STOCK] = { ...cash[STOCK], availableCash: 300_000, maxBuyQty: 4 };
    const { user } = render('buy');
    await row(/^주식 계좌 · 주문 가능 300,000원/);
    await waitFor(() => expect(field('수량')).toHaveTextContent('4주'));
    await user.click(await row(/^주식 계좌/));
    await user.click(within(await picker()).getByRole('radio', { name: /^기본 계좌/ }));
    await waitFor(() => expect(field('수량')).toHaveTextContent('60주'));
    cash[STOCK] = { ...cash[STOCK], availableCash: 500_000, maxBuyQty: 6 };
  });
});

describe('the account of a sale', () => {
  it('is the one that holds the instrument, without a choice of others', async () => {
    answerAccounts([{ ...holding, acno: STOCK, juQty: 2 }]);
    const { user } = render('sell');
    expect(await screen.findByText(/^주식 계좌 · 보유$/)).toBeVisible();
    await user.click(key('최대'));
    await user.click(key('판매하기'));
    await user.click(within(await sheet()).getByRole('button', { name: '판매하기' }));
    await waitFor(() => expect(sent).toMatchObject([{ acno: STOCK, juQty: 2 }]));
  });

  it('is chosen by what each holds', async () => {
    answerAccounts([{ ...holding, juQty: 3 }, { ...holding, acno: STOCK, juQty: 2 }]);
    const { user } = render('sell');
    await user.click(await row(/^기본 계좌 · 보유 3주/));
    await user.click(within(await picker()).getByRole('radio', { name: '주식 계좌 보유 2주' }));
    expect(await row(/^주식 계좌 · 보유 2주/)).toBeVisible();
  });
});

describe('a stored draft that no longer fits', () => {
  it('is cut to what can be ordered, and says so', async () => {
    answerAccounts();
    const form = { kind: 'market', field: 'qty', measure: 'amount', price: { text: '', isFresh: false }, qty: { text: '', isFresh: false }, ratio: null };
    sessionStorage.setItem(`draft ${String(assets.memberSid)} buy 005930`, JSON.stringify({ ...form, amount: { text: '5000000', isFresh: true } }));
    const { user } = render('buy');
    await waitFor(() => expect(field('금액')).toHaveTextContent('4,790,000원'));
    expect(screen.getByText('지금 주문할 수 있는 4,790,000원만 남겼어요')).toBeVisible();
    await user.click(key('1'));
    expect(screen.queryByText(/만 남겼어요$/)).toBeNull();
  });
});
