import { describe, expect, it } from 'vitest';
import { floorToTick, isOnTick, nearestPrices, stepPrice, tickAt, withinLimits } from './ticks';

const KRX = [
  { from: 0, tick: 1 },
  { from: 2_000, tick: 5 },
  { from: 5_000, tick: 10 },
  { from: 20_000, tick: 50 },
  { from: 50_000, tick: 100 },
  { from: 200_000, tick: 500 },
  { from: 500_000, tick: 1_000 },
];
const DOLLARS = [{ from: 0, tick: 0.01 }];

describe('price steps', () => {
  it.each([
    [1_999, 1],
    [2_000, 5],
    [4_995, 5],
    [5_000, 10],
    [71_300, 100],
    [500_000, 1_000],
  ])('at %d the step is %d', (price, tick) => {
    expect(tickAt(price, KRX)).toBe(tick);
  });

  it('steps up and down by the band the price moves through', () => {
    expect(stepPrice(71_300, 'up', KRX)).toBe(71_400);
    expect(stepPrice(71_300, 'down', KRX)).toBe(71_200);
    expect(stepPrice(1_999, 'up', KRX)).toBe(2_000);
    expect(stepPrice(2_000, 'down', KRX)).toBe(1_999);
    expect(stepPrice(50_000, 'down', KRX)).toBe(49_950);
    expect(stepPrice(49_950, 'up', KRX)).toBe(50_000);
  });

  it('steps from between two valid prices to the nearer edge', () => {
    expect(stepPrice(71_340, 'up', KRX)).toBe(71_400);
    expect(stepPrice(71_340, 'down', KRX)).toBe(71_300);
  });

  it('steps dollars by the cent, exactly', () => {
    expect(stepPrice(229.87, 'up', DOLLARS)).toBe(229.88);
    expect(stepPrice(0.3, 'down', DOLLARS)).toBe(0.29);
  });

  it('never steps to zero', () => {
    expect(stepPrice(1, 'down', KRX)).toBe(1);
    expect(stepPrice(0, 'up', KRX)).toBe(1);
  });

  it('leaves prices unchanged without a table', () => {
    expect(stepPrice(10, 'up', [])).toBe(10);
    expect(isOnTick(10.123, [])).toBe(true);
  });

  it('prefills a valid price and clamps it to the limits', () => {
    expect(floorToTick(71_349, KRX)).toBe(71_300);
    expect(isOnTick(71_349, KRX)).toBe(false);
    expect(withinLimits(100, { lower: 120, upper: 300 })).toBe(120);
    expect(withinLimits(400, { lower: 120, upper: 300 })).toBe(300);
    expect(withinLimits(400, { lower: null, upper: null })).toBe(400);
  });

  it('every price reached by stepping is valid and can be stepped back', () => {
    for (let price = 1_900, steps = 0; steps < 600; steps += 1) {
      const next = stepPrice(price, 'up', KRX);
      expect(isOnTick(next, KRX)).toBe(true);
      expect(stepPrice(next, 'down', KRX)).toBe(price);
      price = next;
    }
  });
});

describe('the prices next to one between two ticks', () => {
  const terms = { tickTable: [{ from: 0, tick: 500 }], limits: { lower: 1_000, upper: 5_000 } };

  it('are the valid ones below and above, within the limits of the day', () => {
    expect(nearestPrices(3_210, terms)).toEqual([3_000, 3_500]);
    expect(nearestPrices(999, terms)).toEqual([1_000]);
    expect(nearestPrices(5_200, terms)).toEqual([5_000]);
    expect(nearestPrices(200, { ...terms, limits: {} })).toEqual([500]);
  });
});
