import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as sparklines from '@/shared/api/sparklines';
import { sparklineQuery } from '@/shared/api/sparklines';
import type { Item } from '@/shared/api/types';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { samsung } from '@/testing/wireSamples';
import { ItemRow } from './ItemRow';
import { ListRow } from './ListRow';

// The test decides when the page is idle.
const quiet = vi.hoisted(() => ({ callbacks: [] as (() => void)[] }));
vi.mock('@/shared/platform/whenPageIdle', () => ({ whenPageIdle: (callback: () => void) => quiet.callbacks.push(callback) }));
// Each render of a line builds its query once.
vi.mock('@/shared/api/sparklines', async (original) => {
  const module = await original<typeof sparklines>();
  return { ...module, sparklineQuery: vi.fn(module.sparklineQuery) };
});

const items = Array.from({ length: 12 }, (_, index): Item => ({ ...samsung, isuSrtCd: `A${index}` }));
const codes = items.map(({ isuSrtCd }) => isuSrtCd);

let asked: string[][];
let last: number;

const openRows = (shown: readonly Item[]) =>
  renderApp(
    <ul>
      {shown.map((item) => (
        <ListRow key={item.isuSrtCd}>
          <ItemRow item={item} to="/" />
        </ListRow>
      ))}
    </ul>,
  );
const linesOf = (container: HTMLElement) => [...container.querySelectorAll('polyline')];
const becomeQuiet = () => quiet.callbacks.splice(0).forEach((callback) => callback());
/** Opens rows and waits until their lines are about to be requested. */
async function openAsking(shown: readonly Item[]) {
  const view = openRows(shown);
  const cache = view.queryClient.getQueryCache();
  // Only the first row of all loads the drawing code.
  if (cache.getAll().length === 0) becomeQuiet();
  await vi.waitFor(() => expect(cache.findAll({ fetchStatus: 'fetching' })).toHaveLength(shown.length), { timeout: 15_000 });
  return view;
}
async function openDrawn(shown: readonly Item[]) {
  const view = await openAsking(shown);
  becomeQuiet();
  await waitFor(() => expect(linesOf(view.container)).toHaveLength(shown.length));
  return view;
}

beforeEach(() => {
  asked = [];
  last = 110;
  tickStore.clear();
  server.use(
    http.get('*/api/v1/market-trend/sparklines', ({ request }) => {
      const named = new URL(request.url).searchParams.get('codes')?.split(',') ?? [];
      asked.push(named);
      return HttpResponse.json(named.map((isuSrtCd) => ({ isuSrtCd, prevDdPrc: 100, prices: [100, 105, last] })));
    }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  becomeQuiet();
});

describe('the sparklines of a list', () => {
  it('are requested together, after the rows are shown', async () => {
    const { container } = await openAsking(items);
    expect(screen.getAllByRole('listitem')).toHaveLength(12);
    expect(quiet.callbacks).toHaveLength(1);
    expect(asked).toEqual([]);
    becomeQuiet();
    await waitFor(() => expect(linesOf(container)).toHaveLength(12));
    expect(asked).toEqual([codes]);
    expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('are refreshed once a minute, again together', async () => {
    // Only the minutes are faked; replies take real time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const { container } = await openDrawn(items);
    const before = linesOf(container)[0]?.getAttribute('points');
    last = 90;
    act(() => {
      vi.advanceTimersByTime(60_000);
    });
    vi.useRealTimers();
    becomeQuiet();
    await waitFor(() => expect(linesOf(container)[0]?.getAttribute('points')).not.toBe(before));
    // With the clock back in the past, a slow machine may ask once more; what matters is that none asks alone.
    expect(asked.length).toBeGreaterThan(1);
    for (const together of asked) expect(together.toSorted()).toEqual(codes.toSorted());
  });

  it('are not requested by rows that have scrolled out', async () => {
    const { unmount } = await openAsking(items);
    unmount();
    becomeQuiet();
    expect(asked).toEqual([]);
  });

  it('do not render on a tick', async () => {
    await openDrawn([samsung]);
    const renderings = vi.mocked(sparklineQuery).mock.calls.length;
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: samsung.tickSeq + 1, price: 72_000 }]));
    await waitFor(() => expect(screen.getByRole('listitem')).toHaveTextContent('72,000'));
    expect(vi.mocked(sparklineQuery).mock.calls.length).toBe(renderings);
  });

  it('have the colour of the change next to them, even when it becomes 0 % and the line is not redrawn', async () => {
    const { container } = await openDrawn([samsung]);
    const [line] = linesOf(container);
    expect(line).toHaveClass('up');
    // 0.004 % is shown as 0 %.
    const still = samsung.prevDdPrc * 1.00004;
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: samsung.tickSeq + 1, price: still }]));
    await waitFor(() => expect(line).toHaveClass('flat'));
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: samsung.tickSeq + 2, price: 69_000 }]));
    await waitFor(() => expect(line).toHaveClass('down'));
    expect(asked).toHaveLength(1);
  });

  it('are a dashed previous close alone before the first trade', async () => {
    server.use(http.get('*/api/v1/market-trend/sparklines', () => HttpResponse.json([{ isuSrtCd: '005930', prevDdPrc: 100, prices: [100] }])));
    const { container } = await openAsking([samsung]);
    becomeQuiet();
    await waitFor(() => expect(container.querySelector('svg')).toHaveClass('dashed'));
    expect(linesOf(container)).toEqual([]);
  });

  it('are in front of the text, so that they are aligned in all rows', async () => {
    const { container } = await openDrawn(items);
    const lines = [...container.querySelectorAll('svg')];
    expect(lines).toHaveLength(12);
    for (const line of lines) expect(line.previousSibling).toBeNull();
  });

  it('leave a row with eleven elements and its heart, since a list draws many rows', async () => {
    const { container } = await openDrawn([samsung]);
    expect(container.querySelectorAll('li, li *')).toHaveLength(11);
  });

  it('are absent when they fail to load', async () => {
    server.use(http.get('*/api/v1/market-trend/sparklines', () => HttpResponse.json({ code: 9_200 }, { status: 503 })));
    const { container, queryClient } = await openAsking(items);
    becomeQuiet();
    await waitFor(() => expect(queryClient.getQueryState(['sparkline', 'A0'])?.status).toBe('error'));
    expect(linesOf(container)).toEqual([]);
    expect(screen.getAllByRole('listitem')).toHaveLength(12);
  });
});
