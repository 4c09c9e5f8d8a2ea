// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import type { Item } from '@/shared/api/types';
import { samsung } from '@/testing/wireSamples';
import { type Tick, tickFromItem } from './tick';
import { tickStore } from './tickStore';
import { liveQuote } from './useTick';

const traded: Item = { ...samsung, tickSeq: 7, trdPrc: 50_000, accVol: 900 };
/** The next day, after a split and before its first trade. */
const begun: Item = { ...traded, trdPrc: 10_000, prevDdPrc: 10_000, accVol: 0 };

const receive = async (tick: Tick) => {
  tickStore.apply([tick]);
  await vi.waitFor(() => expect(tickStore.get(tick.code)).toBe(tick));
};

afterEach(() => tickStore.clear());

it('is what REST returned while no tick has come', () => {
  expect(liveQuote(traded)).toEqual(tickFromItem(traded));
});

it('is the tick of the same trade, and of a later one', async () => {
  const halted: Tick = { ...tickFromItem(traded), session: 'HALTED' };
  await receive(halted);
  expect(liveQuote(traded)).toBe(halted);
  expect(liveQuote({ ...traded, tickSeq: 6 })).toBe(halted);
  expect(liveQuote({ ...traded, tickSeq: 8, trdPrc: 50_100 }).price).toBe(50_100);
});

it('is that of the day which has begun since the tick', async () => {
  await receive(tickFromItem(traded));
  expect(liveQuote(begun).price).toBe(10_000);
});

it('stays that of the day which has begun, whatever REST returned before', async () => {
  await receive(tickFromItem(begun));
  expect(liveQuote(traded).price).toBe(10_000);
});
