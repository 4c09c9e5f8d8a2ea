// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { filledOrder } from '@/testing/wireSamples';
import { mergePages } from './historyPages';

const page = (sids: readonly number[], nextCursor: string | null = null) => ({
  orders: sids.map((orderSid) => ({ ...filledOrder, orderSid })),
  nextCursor,
});
const downFrom = (sid: number, count: number) => Array.from({ length: count }, (_, place) => sid - place);

it('a page of all kinds skips no order between pages, and ends with the last one', () => {
  const merged = mergePages([page(downFrom(100, 20), '81'), page([99, 2]), page([])]);
  expect(merged.orders).toHaveLength(20);
  // The older order of the second kind appears once the cursor has passed it.
  expect(merged.nextCursor).toBe('82');
  expect(mergePages([page([3, 1]), page([2]), page([])])).toMatchObject({ nextCursor: null, orders: [{ orderSid: 3 }, { orderSid: 2 }, { orderSid: 1 }] });
  expect(mergePages([page([]), page([]), page([])])).toEqual({ orders: [], nextCursor: null });
});
