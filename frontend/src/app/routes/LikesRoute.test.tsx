import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import type { Item, Product } from '@/shared/api/types';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { deposit, goldBar } from '@/testing/productSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import LikesRoute from './LikesRoute';

const hynix: Item = { ...samsung, isuSrtCd: '000660', isuKorNm: 'SK하이닉스', like: true };
let liked: Item[] = [];
let products: Product[] = [];
let sent: { targetCode?: string; targetSid?: number; like: boolean }[] = [];

// Without a layout the virtual list hides its rows, so they are found by text.
const HYNIX = 'SK하이닉스';

const open = (at = '/my/likes') => renderApp(<LikesRoute />, { at });

beforeEach(() => {
  tickStore.clear();
  liked = [{ ...samsung, like: true }, hynix];
  products = [{ ...deposit, like: true }];
  sent = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/stock/member/:sid/stock-like', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('type') === 'STOCK' ? liked : []),
    ),
    http.get('*/api/v1/coin/member/:sid/coin-like', () => HttpResponse.json([])),
    http.get('*/api/v1/commodity/member/:sid/gold-like', () => HttpResponse.json([goldBar])),
    http.get('*/api/v1/product/member/:sid/product-like', () => HttpResponse.json(products)),
    http.put('*/api/v1/member/stock-like', async ({ request }) => {
      const body = (await request.json()) as { targetCode: string; like: boolean };
      sent.push(body);
      liked = body.like ? [hynix, ...liked.filter(({ isuSrtCd }) => isuSrtCd !== hynix.isuSrtCd)] : liked.filter(({ isuSrtCd }) => isuSrtCd !== body.targetCode);
      return HttpResponse.json({ ...body, type: 'STOCK' });
    }),
    http.put('*/api/v1/member/product-like', async ({ request }) => {
      const body = (await request.json()) as { targetSid: number; like: boolean };
      sent.push(body);
      products = [];
      return HttpResponse.json({ ...body, type: 'PRODUCT' });
    }),
  );
});
afterEach(() => endSession('logout'));

describe('the likes', () => {
  it('are listed by kind', async () => {
    const { user, container } = open();
    expect(await screen.findByRole('link', { name: '삼성전자' })).toHaveAttribute('href', '/invest-v2/stock/005930');
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['주식', 'ETF', '코인', '금', '예적금']);
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('tab', { name: '금' }));
    expect(await screen.findByRole('link', { name: goldBar.isuKorNm })).toHaveAttribute('href', '/invest-v2/gold/04020000');
    expect(screen.getByTestId('address')).toHaveTextContent('/my/likes?tab=gold');
  });

  it('are sorted as requested, which the address keeps', async () => {
    liked = [hynix, { ...samsung, like: true }];
    const { user } = open();
    await screen.findByRole('link', { name: '삼성전자' });
    const names = () => [...document.querySelectorAll('main li a')].map(({ textContent }) => textContent);
    expect(names()).toEqual(['SK하이닉스', '삼성전자']);
    await user.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '이름순');
    expect(names()).toEqual(['삼성전자', 'SK하이닉스']);
    expect(screen.getByTestId('address')).toHaveTextContent('/my/likes?sort=name');
  });

  it('lose a row at once, and the undo restores it', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'SK하이닉스 관심 종목에서 빼기' }));
    // Before the server has answered.
    await waitFor(() => expect(screen.queryByText(HYNIX)).toBeNull());
    expect(await screen.findByText('관심 종목에서 뺐어요')).toBeInTheDocument();
    await waitFor(() => expect(sent).toEqual([{ memberSid: MEMBER_SID, targetCode: '000660', like: false, type: 'STOCK' }]));
    await user.click(screen.getByRole('button', { name: '취소', hidden: true }));
    expect(await screen.findByText(HYNIX)).toBeInTheDocument();
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ targetCode: '000660', like: true }));
  });

  it('keep the row when the server fails', async () => {
    server.use(http.put('*/api/v1/member/stock-like', () => problem(500, 9999, 'INTERNAL')));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'SK하이닉스 관심 종목에서 빼기' }));
    expect(await screen.findByText('관심 종목을 바꾸지 못했어요. 다시 시도해주세요.')).toBeInTheDocument();
    expect(await screen.findByText(HYNIX)).toBeInTheDocument();
  });

  it('of deposits and savings work the same way, and the last one leaves the empty state', async () => {
    const { user } = open('/my/likes?tab=product');
    expect(await screen.findByRole('link', { name: '새싹 정기예금' })).toHaveAttribute('href', '/invest-v2/product/7');
    await user.click(screen.getByRole('button', { name: '새싹 정기예금 관심 종목에서 빼기' }));
    expect(await screen.findByText('관심 종목이 없어요')).toBeInTheDocument();
    expect(screen.getByText('하트를 눌러 담아보세요')).toBeInTheDocument();
    expect(sent).toEqual([{ memberSid: MEMBER_SID, targetSid: 7, like: false }]);
  });

  it('report a failure and retry', async () => {
    server.use(http.get('*/api/v1/coin/member/:sid/coin-like', () => problem(503, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = open('/my/likes?tab=coin');
    await user.click(await screen.findByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('관심 종목이 없어요')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '종목 둘러보기' })).toHaveAttribute('href', '/invest-v2/coin');
  });
});
