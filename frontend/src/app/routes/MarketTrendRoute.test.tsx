import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Item } from '@/shared/api/types';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { coinTrend, goldTrend, kospiTrend, productTrend } from '@/testing/trendSamples';
import { problem, samsung } from '@/testing/wireSamples';
import MarketTrendRoute from './MarketTrendRoute';

const open = (search = '') => renderApp(<MarketTrendRoute />, { at: `/market-trend${search}` });
const rows = () => screen.getAllByRole('listitem').flatMap((row) => within(row).queryAllByRole('link').map((link) => link.textContent));

beforeEach(() => {
  tickStore.clear();
  server.use(
    http.get('*/api/v1/market-trend/stocks/KOSPI', () => HttpResponse.json(kospiTrend)),
    http.get('*/api/v1/market-trend/stocks/KOSDAQ', () => HttpResponse.json({ ...kospiTrend, index: { ...kospiTrend.index, name: '코스닥' } })),
    http.get('*/api/v1/market-trend/stocks/COIN', () => HttpResponse.json(coinTrend)),
    http.get('*/api/v1/market-trend/stocks/GOLD', () => HttpResponse.json(goldTrend)),
    http.get('*/api/v1/market-trend/products', () => HttpResponse.json(productTrend)),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the market trend', () => {
  it('summarizes a market with its time', async () => {
    const { container } = open();
    const index = await screen.findByRole('region', { name: '코스피' });
    expect(index).toHaveTextContent('2,612.30');
    expect(index).toHaveTextContent('▲12.34 (0.47%)상승');
    expect(index).toHaveTextContent('13:05 기준');
    expect(screen.getByRole('region', { name: '오르고 내린 종목' })).toHaveTextContent('오름 512그대로 80내림 301');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('shows the time of a delayed figure', async () => {
    const index = { ...kospiTrend.index, asOf: '2026-11-21T12:41:00+09:00', delayed: true };
    server.use(
      http.get('*/api/v1/market-trend/stocks/KOSPI', () => HttpResponse.json({ ...kospiTrend, index })),
      http.get('*/api/v1/market-trend/stocks/GOLD', () => HttpResponse.json({ ...goldTrend, index: { ...index, name: '금' } })),
    );
    const { container, user } = open();
    expect(await screen.findByRole('region', { name: '코스피' })).toHaveTextContent('12:41 기준 · 시세가 늦어지고 있어요');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('tab', { name: '코스닥' }));
    expect(await screen.findByRole('region', { name: '코스닥' })).not.toHaveTextContent('늦어지고');
    await user.click(screen.getByRole('tab', { name: '금' }));
    expect(await screen.findByRole('region', { name: '금' })).toHaveTextContent('12:41 기준 · 시세가 늦어지고 있어요');
  });

  it('ranks by the selected measure in an ordered list, with live prices', async () => {
    const { user } = open();
    const link = await screen.findByRole('link', { name: '삼성전자' });
    const row = link.closest('li');
    expect(row?.parentElement?.tagName).toBe('OL');
    expect(row).toHaveTextContent(/^1/);
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 77_220 }]));
    await waitFor(() => expect(row).toHaveTextContent('▲10%'));
    await user.click(screen.getByRole('tab', { name: '많이 내린' }));
    expect(rows()).toEqual(['SK하이닉스']);
    await user.click(screen.getByRole('tab', { name: '거래대금' }));
    expect(rows()).toEqual(['SK하이닉스', '삼성전자']);
  });

  it('sorts rows by the changes they show, and not while the list is touched', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
    const hynix = kospiTrend.losers[0] as Item;
    server.use(http.get('*/api/v1/market-trend/stocks/KOSPI', () => HttpResponse.json({ ...kospiTrend, gainers: [samsung, hynix] })));
    open();
    await screen.findByRole('link', { name: '삼성전자' });
    expect(rows()).toEqual(['삼성전자', 'SK하이닉스']);
    const list = screen.getByRole('link', { name: '삼성전자' }).closest('ol') as HTMLElement;
    fireEvent.touchStart(list);
    act(() => tickStore.apply([{ ...tickFromItem(hynix), seq: hynix.tickSeq + 1, price: hynix.prevDdPrc * 1.2 }]));
    await waitFor(() => expect(screen.getByRole('link', { name: 'SK하이닉스' }).closest('li')).toHaveTextContent('▲20%'));
    act(() => void vi.advanceTimersByTime(5_000));
    expect(rows()).toEqual(['삼성전자', 'SK하이닉스']);
    fireEvent.touchEnd(list);
    expect(rows()).toEqual(['SK하이닉스', '삼성전자']);
  });

  it('shows a sector at 0 % as flat', async () => {
    open();
    const sector = (await screen.findByText('은행')).closest('li') as HTMLElement;
    expect(sector).toHaveTextContent('은행0%보합');
    expect(sector).not.toHaveTextContent('▲');
    expect(screen.getByText('반도체').closest('li')).toHaveTextContent('▲1.2%상승');
  });

  it('keeps the selection in the address', async () => {
    const { user } = open();
    await screen.findByRole('region', { name: '코스피' });
    await user.click(screen.getByRole('tab', { name: '코스닥' }));
    await screen.findByRole('region', { name: '코스닥' });
    expect(screen.getByTestId('address')).toHaveTextContent('/market-trend?market=KOSDAQ');
    await user.click(screen.getByRole('tab', { name: '코인' }));
    expect(await screen.findByRole('region', { name: '비트코인' })).toHaveTextContent('▼467,000원 (0.31%)하락');
    expect(screen.getByRole('region', { name: '비트코인' })).toHaveTextContent('150,176,000원');
    expect(screen.getByTestId('address')).toHaveTextContent('/market-trend?tab=coin');
  });

  it('compares domestic with international gold', async () => {
    const { container } = open('?tab=gold');
    expect(await screen.findByRole('region', { name: '금' })).toHaveTextContent('1g 128,500원');
    expect(screen.getByText('1온스 $2,650.13')).toBeVisible();
    expect(screen.getByText('1,400.5원')).toBeVisible();
    expect(screen.getByText('+1.83%')).toBeVisible();
    expect(screen.getByRole('link', { name: '금 99.99' })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('shows the interest rates by term, and which have changed', async () => {
    const { container } = open('?tab=product');
    const deposits = await screen.findByRole('table', { name: '예금 금리를 기간별로 보여드려요' });
    expect(within(deposits).getByRole('row', { name: '12개월 연 3.1% 연 3.85% 36개' })).toBeVisible();
    expect(screen.getByRole('row', { name: '24개월 연 3.4% 연 5% 21개' })).toBeVisible();
    const mover = screen.getByRole('link', { name: /새싹정기예금/ });
    expect(mover).toHaveAttribute('href', '/invest-v2/product/7');
    expect(mover).toHaveTextContent('3.5% → 3.25%하락');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('says when no rate has changed', async () => {
    server.use(http.get('*/api/v1/market-trend/products', () => HttpResponse.json({ ...productTrend, movers: [] })));
    open('?tab=product');
    expect(await screen.findByText('이번 주에는 바뀐 금리가 없어요')).toBeVisible();
  });

  it('says when there is nothing to show', async () => {
    const nothing = { index: null, gainers: [], losers: [], volume: [], value: [], sectors: [], breadth: { up: 0, flat: 0, down: 0 } };
    server.use(
      http.get('*/api/v1/market-trend/stocks/KOSPI', () => HttpResponse.json({ ...kospiTrend, ...nothing })),
      http.get('*/api/v1/market-trend/products', () => HttpResponse.json({ averages: [], movers: [], asOf: kospiTrend.asOf })),
    );
    const { user } = open();
    expect(await screen.findByText('지금은 보여드릴 동향이 없어요')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: '예적금' }));
    expect(await screen.findByText('지금은 보여드릴 동향이 없어요')).toBeVisible();
  });

  it.each(['', '?tab=gold', '?tab=product'])('can be retried after a failure: %j', async (search) => {
    let isDown = true;
    const answer = (reply: object) => () => (isDown ? problem(422, 9007, 'UNAVAILABLE') : HttpResponse.json(reply));
    server.use(
      http.get('*/api/v1/market-trend/stocks/KOSPI', answer(kospiTrend)),
      http.get('*/api/v1/market-trend/stocks/GOLD', answer(goldTrend)),
      http.get('*/api/v1/market-trend/products', answer(productTrend)),
    );
    const { user } = open(search);
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    isDown = false;
    await user.click(retry);
    expect(await screen.findByText('13:05 기준')).toBeVisible();
  });
});
