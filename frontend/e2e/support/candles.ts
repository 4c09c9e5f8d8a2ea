import { expect } from 'vitest';

import { api } from './member';
import { eventually } from './processes';

interface Candle {
  date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

interface Quote {
  trdPrc: number;
  hgPrc: number;
  lwPrc: number;
  accVol: number;
}

const MINUTE_MS = 60_000;

/** Volumes have up to eight decimals, so they are summed in hundred-millionths. */
const exact = (volume: number): bigint => BigInt(Math.round(volume * 1e8));

const dayOf = async (code: string): Promise<Candle[]> => {
  const path = code.startsWith('KRW-')
    ? `/api/v1/coin/get-coin-detail-time-tab?isuSrtCd=${code}&candleType=DAY`
    : `/api/v1/global-stock/get-chart-data-type/${code}?candleType=DAY`;
  return (await api.get<{ candles: Candle[] }>(path)).candles;
};

const quoteOf = (code: string): Promise<Quote> =>
  api.get(`/api/v1/${code.startsWith('KRW-') ? 'coin' : 'stock'}/real/code/${code}`);

/**
 * Every minute of the day so far has exactly one candle, whatever was killed meanwhile. For coins and US shares only: a
 * domestic share has no candle for a minute in a volatility interruption or a halt.
 */
export const expectWholeDay = async (code: string): Promise<void> => {
  await eventually(`the candle of the running minute of ${code} is there`, async () => {
    const last = (await dayOf(code)).at(-1);
    return last !== undefined && Date.now() - Date.parse(last.date) < 2 * MINUTE_MS;
  });
  const candles = await dayOf(code);
  expect(candles.length).toBeGreaterThan(3);
  const holes = candles.flatMap(({ date }, index) => {
    const before = candles[index - 1];
    if (before === undefined) return [];
    const minutes = (Date.parse(date) - Date.parse(before.date)) / MINUTE_MS;
    return minutes === 1 ? [] : [`${String(minutes)} minutes from ${before.date} to ${date}`];
  });
  expect(holes.join(', '), code).toBe('');
  for (const { date, open, high, low, close, volume } of candles) {
    expect(low, date).toBeLessThanOrEqual(Math.min(open, close));
    expect(high, date).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(volume, date).toBeGreaterThanOrEqual(0);
  }
};

/** The volume of the candles equals the volume of the day: no tick is lost or counted twice. */
export const expectVolumeCounted = async (code: string): Promise<void> => {
  let said = '';
  await eventually(`the volumes of ${code} agree`, async () => {
    const before = exact((await quoteOf(code)).accVol);
    const counted = (await dayOf(code)).reduce((sum, { volume }) => sum + exact(volume), 0n);
    const after = exact((await quoteOf(code)).accVol);
    said = `${String(before)} ≤ ${String(counted)} ≤ ${String(after)}`;
    return before <= counted && counted <= after;
  }).catch((problem: unknown) => {
    throw new Error(`${String(problem)} (last: ${said})`);
  });
};
