import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { createQueryClient } from '@/shared/api/queryClient';
import type { Equity as EquityHistory } from '@/shared/api/types';
import { startSession } from '@/shared/api/session';
import { setPreference } from '@/shared/platform/preferences';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import { Equity } from './Equity';
import { HomeEquity } from './HomeEquity';

const three: EquityHistory = {
  season: 1,
  from: '2025-08-27',
  to: '2025-11-26',
  points: [
    { date: '2025-11-24', equity: 5_000_000, base: 5_000_000, flow: 0 },
    { date: '2025-11-25', equity: 4_900_000, base: 5_000_000, flow: 0 },
    { date: '2025-11-26', equity: 5_100_000, base: 5_150_000, flow: 150_000 },
  ],
  returnRt: -1.0096,
  drawdownRt: 2,
  benchmarks: [
    {
      code: '0001',
      name: '코스피',
      returnRt: 1.25,
      points: [
        { date: '2025-11-24', value: 4000 },
        { date: '2025-11-26', value: 4050 },
      ],
    },
  ],
  deposit: { rate: 3.65, returnRt: 0.02 },
};

let history = three;
let asked: string[] = [];

beforeEach(() => {
  history = three;
  asked = [];
  setPreference({ hideAmounts: false });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/invest/equity/member/:sid', ({ request, params }) => {
      asked.push(`${String(params.sid)}${new URL(request.url).search}`);
      return HttpResponse.json(history);
    }),
  );
});

const open = (season: number | null = null) => renderApp(<Equity memberSid={MEMBER_SID} period="THREE_MONTH" season={season} />);
const day = () => screen.getByRole('slider', { name: '자산 변화' });
const rates = () => screen.getByRole('list', { name: '수익률 비교' });

describe('the equity of a member', () => {
  it('says what the days returned beside the market and a deposit', async () => {
    const { container } = open();
    expect(await screen.findByRole('slider')).toHaveAttribute('aria-valuetext', '지금, 5,100,000원, 150,000원 넣음');
    const shown = within(rates())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(shown).toEqual(['내 수익률 ▼1.01%하락', '코스피 +1.25%', '예금에 넣었다면 (연 3.65%) +0.02%', '가장 크게 떨어진 폭 2%']);
    expect(screen.getByText('최저').parentElement).toHaveTextContent('최저4,900,000원');
    expect(screen.getByText('넣은 돈').parentElement).toHaveTextContent('넣은 돈5,150,000원');
    expect(day()).toHaveAccessibleDescription(
      '2025년 11월 24일 5,000,000원에서 지금 5,100,000원. 최고 5,100,000원 (지금), 최저 4,900,000원 (2025년 11월 25일)',
    );
    expect(asked).toEqual([`${MEMBER_SID}?dateType=THREE_MONTH`]);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('tells no amounts while they are hidden', async () => {
    const { container } = open();
    await screen.findByRole('slider');
    act(() => setPreference({ hideAmounts: true }));
    expect(container).not.toHaveTextContent('000원');
    expect(day()).not.toHaveAttribute('aria-valuetext', expect.stringContaining('원'));
    expect(day()).toHaveAccessibleDescription('2025년 11월 24일부터 지금까지');
  });

  it('lets the arrow keys choose a day, and Escape goes back to now', async () => {
    open();
    await screen.findByRole('slider');
    fireEvent.keyDown(day(), { key: 'ArrowLeft' });
    expect(day()).toHaveAttribute('aria-valuetext', '2025년 11월 25일, 4,900,000원');
    fireEvent.keyDown(day(), { key: 'Home' });
    expect(day()).toHaveAttribute('aria-valuenow', '0');
    fireEvent.keyDown(day(), { key: 'ArrowLeft' });
    expect(day()).toHaveAttribute('aria-valuenow', '0');
    fireEvent.keyDown(day(), { key: 'End' });
    fireEvent.keyDown(day(), { key: 'Escape' });
    expect(day()).toHaveAttribute('aria-valuetext', '지금, 5,100,000원, 150,000원 넣음');
  });

  it('lets a finger choose a day until it is lifted', async () => {
    open();
    await screen.findByRole('slider');
    day().getBoundingClientRect = () => ({ left: 0, width: 100 }) as DOMRect;
    fireEvent.pointerDown(day(), { clientX: 52, pointerType: 'touch' });
    expect(day()).toHaveAttribute('aria-valuenow', '1');
    fireEvent.pointerMove(day(), { clientX: 10, pointerType: 'touch' });
    expect(day()).toHaveAttribute('aria-valuenow', '0');
    fireEvent.pointerUp(day(), { pointerType: 'touch' });
    expect(day()).toHaveAttribute('aria-valuenow', '2');
  });

  it('draws an index besides when it is chosen', async () => {
    const { container } = open();
    const kospi = await screen.findByRole('button', { name: /코스피/ });
    const lines = () => container.querySelectorAll('path').length;
    const before = lines();
    fireEvent.click(kospi);
    expect(kospi).toHaveAttribute('aria-pressed', 'true');
    expect(lines()).toBe(before + 1);
    fireEvent.click(kospi);
    expect(lines()).toBe(before);
  });

  it('asks for a past season, which ends with a day', async () => {
    open(2);
    expect(await screen.findByRole('slider')).toHaveAttribute('aria-valuetext', expect.stringContaining('2025년 11월 26일'));
    expect(asked).toEqual([`${MEMBER_SID}?dateType=THREE_MONTH&season=2`]);
  });

  it('never shows a return as zero when there is one', async () => {
    history = { ...three, returnRt: 0.004 };
    open();
    await screen.findByRole('slider');
    expect(within(rates()).getByText('내 수익률').parentElement).toHaveTextContent('▲0.01% 미만상승');
  });

  it('keeps the days of a period until those of another come, and none of another season', async () => {
    const view = (period: 'THREE_MONTH' | 'YEAR', season: number | null) => <Equity memberSid={MEMBER_SID} period={period} season={season} />;
    const inQueries = (content: ReactNode) => <QueryClientProvider client={client}>{content}</QueryClientProvider>;
    const client = createQueryClient();
    const { rerender, container } = render(inQueries(view('THREE_MONTH', null)));
    await screen.findByRole('slider');
    rerender(inQueries(view('YEAR', null)));
    expect(screen.getByRole('slider')).toBeVisible();
    expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
    await waitFor(() => expect(container.querySelector('[aria-busy=true]')).toBeNull());
    expect(asked.at(-1)).toBe(`${MEMBER_SID}?dateType=YEAR`);
    rerender(inQueries(view('YEAR', 1)));
    expect(screen.queryByRole('slider')).toBeNull();
    expect(await screen.findByRole('slider')).toBeVisible();
  });

  it('compares with a deposit alone where the market has no indices', async () => {
    history = { ...three, benchmarks: [] };
    open();
    await screen.findByRole('slider');
    expect(within(rates()).queryByRole('button')).toBeNull();
    expect(rates()).toHaveTextContent('예금에 넣었다면');
    expect(screen.queryByText(/지수를 누르면/)).toBeNull();
  });

  it('says when there is nothing to draw yet, or what failed', async () => {
    history = { ...three, points: three.points.slice(2), returnRt: null, drawdownRt: null, benchmarks: [], deposit: null };
    const { unmount } = open();
    expect(await screen.findByText('내일부터 자산 변화를 그려 드려요')).toBeVisible();
    expect(screen.queryByRole('slider')).toBeNull();
    unmount();
    server.use(http.get('*/api/v1/invest/equity/member/:sid', () => problem(503, 9001, '잠시 뒤에 다시 해 주세요.')));
    open();
    expect(await screen.findByText('자산 변화를 불러오지 못했어요')).toBeVisible();
    expect(screen.getByRole('button', { name: /다시/ })).toBeVisible();
  });
});

describe('equity on home', () => {
  it('is drawn as soon as there are two days, and leads to the whole', async () => {
    renderApp(<HomeEquity memberSid={MEMBER_SID} />);
    expect(await screen.findByRole('slider')).toBeVisible();
    expect(screen.getByRole('link')).toHaveAttribute('href', '/my/profit-loss');
  });

  it('takes no place before', async () => {
    history = { ...three, points: three.points.slice(2) };
    const { container } = renderApp(<HomeEquity memberSid={MEMBER_SID} />);
    await expect.poll(() => asked.length).toBe(1);
    expect(container.querySelector('section')).toBeNull();
  });
});
