import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import type { Product } from '@/shared/api/types';
import { axeViolations } from '@/testing/axe';
import { contract, CONTRACT_ACNO } from '@/testing/moneySamples';
import { deposit, depositDetail, interest, savings } from '@/testing/productSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, member, MEMBER_SID, problem } from '@/testing/wireSamples';
import ProductDetailRoute from './ProductDetailRoute';
import ProductListRoute from './ProductListRoute';

let asked: string[] = [];
let questions: string[] = [];

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/invest-v2/product" element={<ProductListRoute />} />
      <Route path="/invest-v2/product/:sid" element={<ProductDetailRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at },
  );
const amount = () => screen.findByRole('textbox', { name: '맡길 금액' });

beforeEach(() => {
  asked = [];
  questions = [];
  server.use(
    http.get('*/api/v1/product/product', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get('kind')} ${searchParams.get('sort')}`);
      return HttpResponse.json(searchParams.get('kind') === '04' ? [savings] : [deposit]);
    }),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/product/7', () => HttpResponse.json(depositDetail)),
    http.get('*/api/v1/product/7/interest', ({ request }) => {
      questions.push(new URL(request.url).search);
      return HttpResponse.json(interest);
    }),
  );
});
afterEach(() => endSession('logout'));

describe('the deposits and savings', () => {
  it('are listed with bank, term and rates', async () => {
    const { container } = open('/invest-v2/product');
    const link = await screen.findByRole('link', { name: '새싹 정기예금' });
    expect(link).toHaveAttribute('href', '/invest-v2/product/7');
    const row = link.closest('li');
    expect(row).toHaveTextContent('새싹은행 · 12개월');
    expect(row).toHaveTextContent('연 3.5%기본 2.9%');
    expect(screen.getByText('금리는 2024년 4월 공시 기준이에요. 지금 은행에서 파는 상품과 다를 수 있어요.')).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('change with kind and sort order, which are in the address', async () => {
    const { user } = open('/invest-v2/product');
    await screen.findByRole('link', { name: '새싹 정기예금' });
    await user.click(screen.getByRole('tab', { name: '적금' }));
    expect((await screen.findByRole('link', { name: '새싹 적금' })).closest('li')).toHaveTextContent('12개월 · 자유적립');
    await user.click(screen.getByRole('button', { name: '금리 높은 순' }));
    expect(screen.getByRole('button', { name: '금리 높은 순' })).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(asked).toEqual(['03 popular', '04 popular', '04 rate']));
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/product?kind=04&sort=rate');
  });

  it('report an empty list and a failure', async () => {
    server.use(http.get('*/api/v1/product/product', () => HttpResponse.json([]), { once: true }));
    const first = open('/invest-v2/product');
    expect(await screen.findByText('조건에 맞는 상품이 없어요')).toBeInTheDocument();
    first.unmount();
    server.use(http.get('*/api/v1/product/product', () => problem(503, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = open('/invest-v2/product');
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByRole('link', { name: '새싹 정기예금' })).toBeInTheDocument();
  });

  it('are liked in the list', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    const sent: unknown[] = [];
    let shown: Product = deposit;
    server.use(
      http.get('*/api/v1/product/product', () => HttpResponse.json([shown])),
      http.put('*/api/v1/member/product-like', async ({ request }) => {
        sent.push(await request.json());
        shown = { ...deposit, like: true };
        return HttpResponse.json({ targetSid: 7, type: 'PRODUCT', like: true });
      }),
    );
    const { user } = open('/invest-v2/product');
    await user.click(await screen.findByRole('button', { name: '새싹 정기예금 관심 종목에 추가' }));
    // Without a layout the virtual list hides its rows.
    expect(screen.getByLabelText('새싹 정기예금 관심 종목에서 빼기')).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, targetSid: 7, like: true }]));
  });
});

describe('a product', () => {
  it('shows its rates, conditions and limits, and can be joined', async () => {
    const { container } = open('/invest-v2/product/7');
    const hero = await screen.findByRole('region', { name: '새싹 정기예금' });
    expect(hero).toHaveTextContent('최고 금리 연 3.5%기본 연 2.9% · 12개월');
    expect(screen.getByText(/급여를 받으면 0\.3%/)).toBeInTheDocument();
    expect(screen.getByText('100만원부터 5,000만원까지')).toBeInTheDocument();
    expect(screen.getByText('이 은행의 예금은 원금과 이자를 더해 1억원까지 보호받아요.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '가입하기' })).toHaveAttribute('href', '/my/contracts/join/7?amount=10000000&term=12&type=01&rate=best');
    expect(screen.queryByRole('link', { name: '해지하기' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('that the member has joined can be closed', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
      http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([{ ...contract, acno: '100000000303', closedOn: '2026-10-01' }, contract])),
    );
    const { unmount } = open('/invest-v2/product/7');
    expect(await screen.findByRole('link', { name: '해지하기' })).toHaveAttribute('href', `/my/contracts/${CONTRACT_ACNO}?close`);
    unmount();
    // Of two contracts the member chooses.
    server.use(http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([contract, { ...contract, acno: '100000000403' }])));
    open('/invest-v2/product/7');
    expect(await screen.findByRole('link', { name: '해지하기' })).toHaveAttribute('href', '/my/contracts');
  });

  it('cannot be joined in a competition', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true })),
      http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([])),
    );
    open('/invest-v2/product/7');
    await screen.findByRole('region', { name: '새싹 정기예금' });
    await waitFor(() => expect(screen.queryByRole('link', { name: '가입하기' })).toBeNull());
  });

  it('shows the server\'s result for term, rate and amount', async () => {
    server.use(
      http.get('*/api/v1/product/7/interest', ({ request }) => {
        questions.push(new URL(request.url).search);
        return HttpResponse.json({ ...interest, payout: 10_296_101 });
      }),
    );
    open('/invest-v2/product/7');
    expect(await screen.findByText('12개월 뒤 10,296,101원 받아요')).toBeInTheDocument();
    expect(questions).toEqual(['?amount=10000000&saveTrm=12&intrRateType=01&best=true']);
    expect(screen.getByText('-53,900원')).toBeInTheDocument();
    expect(screen.getByText('이자에서 세금 15.4%를 뺀 금액이에요.')).toBeInTheDocument();
  });

  it('keeps the last sums while the next are computed', async () => {
    let answer: (() => void) | undefined;
    server.use(
      http.get('*/api/v1/product/7/interest', async ({ request }) => {
        if (!request.url.includes('saveTrm=6')) return HttpResponse.json(interest);
        await new Promise<void>((resolve) => (answer = resolve));
        return HttpResponse.json({ ...interest, saveTrm: 6, payout: 10_135_360 });
      }),
    );
    const { user } = open('/invest-v2/product/7');
    const before = await screen.findByText('12개월 뒤 10,296,100원 받아요');
    await user.click(screen.getByRole('radio', { name: '6개월' }));
    expect(before).toBeInTheDocument();
    expect(before.parentElement).toHaveAttribute('aria-busy', 'true');
    await waitFor(() => expect(answer).toBeDefined());
    answer?.();
    expect((await screen.findByText('6개월 뒤 10,135,360원 받아요')).parentElement).toHaveAttribute('aria-busy', 'false');
  });

  it('says that nothing can be computed without the server', async () => {
    server.use(http.get('*/api/v1/product/7/interest', () => problem(503, 9007, 'UNAVAILABLE')));
    open('/invest-v2/product/7');
    expect(await screen.findByText('지금은 계산할 수 없어요. 연결되면 다시 계산할게요.')).toBeInTheDocument();
    expect(screen.getByText('12개월 뒤 - 받아요')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: '달마다 보기' })).toBeDisabled();
  });

  it('shows the monthly schedule', async () => {
    server.use(
      http.get('*/api/v1/product/7/interest', () =>
        HttpResponse.json({ ...interest, schedule: [{ month: 1, paid: 10_000_000, interest: 29_167 }] }),
      ),
    );
    const { user } = open('/invest-v2/product/7');
    await screen.findByText('12개월 뒤 10,296,100원 받아요');
    await user.click(screen.getByRole('button', { name: '달마다 보기' }));
    const table = await screen.findByRole('table', { name: '세금을 떼기 전 이자예요.' });
    const rows = within(table).getAllByRole('row').map((row) => row.textContent);
    expect(rows).toEqual(['기간넣은 돈쌓인 이자', '1개월10,000,000원29,167원']);
  });

  it('requests another interest type', async () => {
    const { user } = open('/invest-v2/product/7');
    await user.click(await screen.findByRole('radio', { name: '복리' }));
    await waitFor(() => expect(questions.at(-1)).toBe('?amount=10000000&saveTrm=12&intrRateType=02&best=true'));
    expect(screen.getByRole('radio', { name: '최고 3.4%' })).toBeChecked();
  });

  it('takes an amount from the keypad, the buttons and the keyboard', async () => {
    const { user } = open('/invest-v2/product/7');
    const field = await amount();
    expect(field).toHaveValue('10,000,000');
    await user.click(screen.getByRole('button', { name: '100만원 늘리기' }));
    expect(field).toHaveValue('11,000,000');
    await user.click(field);
    const keypad = screen.getByRole('group', { name: '금액 입력' });
    // It covers the bottom of the screen.
    expect(screen.queryByRole('link', { name: '가입하기' })).toBeNull();
    for (const key of ['2', '0', '00', '00']) await user.click(within(keypad).getByRole('button', { name: key }));
    expect(field).toHaveValue('200,000');
    expect(screen.getByRole('alert')).toHaveTextContent('1,000,000원부터 넣을 수 있어요');
    await user.click(within(keypad).getByRole('button', { name: '00' }));
    expect(field).toHaveValue('20,000,000');
    await user.click(screen.getByRole('button', { name: '입력 완료' }));
    expect(screen.queryByRole('group', { name: '금액 입력' })).toBeNull();
    expect(screen.getByRole('link', { name: '가입하기' })).toHaveAttribute('href', expect.stringContaining('amount=20000000'));
    await user.clear(field);
    await user.type(field, '51000000');
    expect(screen.getByRole('alert')).toHaveTextContent('50,000,000원까지 넣을 수 있어요');
    expect(screen.getByText('12개월 뒤 - 받아요')).toBeInTheDocument();
  });

  it('starts with an amount that the member has', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
      http.get('*/api/v1/product/member/:sid', () => HttpResponse.json([])),
    );
    open('/invest-v2/product/7');
    await waitFor(async () => expect(await amount()).toHaveValue('4,000,000'));
  });

  it('drops the decimals of a pasted amount', async () => {
    const { user } = open('/invest-v2/product/7');
    const field = await amount();
    await user.clear(field);
    await user.click(field);
    await user.paste('1,234,567.89');
    expect(field).toHaveValue('1,234,567');
    await user.clear(field);
    await user.type(field, '12.3');
    expect(field).toHaveValue('123');
  });

  it('whose bank lists no conditions says so', async () => {
    server.use(http.get('*/api/v1/product/7', () => HttpResponse.json({ ...depositDetail, product: { ...deposit, joinConditions: '' } })));
    open('/invest-v2/product/7');
    expect(await screen.findByText('은행이 정한 우대 조건이에요. 공시에는 자세한 내용이 없어요.')).toBeInTheDocument();
  });

  it.each(['/invest-v2/product/7', '/invest-v2/product/abc'])('that does not exist links back: %s', async (at) => {
    server.use(http.get('*/api/v1/product/7', () => problem(404, 4007, 'PRODUCT_NOT_FOUND')));
    open(at);
    expect(await screen.findByText('상품을 찾을 수 없어요')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '목록으로 가기' })).toHaveAttribute('href', '/invest-v2/product');
  });
});
