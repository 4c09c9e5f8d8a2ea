import { describe, expect, it } from 'vitest';
import { createRowPlaces } from './rowPlaces';

describe('the places of rows', () => {
  it('follow one another at the usual height', () => {
    const places = createRowPlaces(72);
    expect(places.topOf(0)).toBe(0);
    expect(places.topOf(3_000)).toBe(216_000);
    expect(places.indexAt(0, 3_000)).toBe(0);
    expect(places.indexAt(71.9, 3_000)).toBe(0);
    expect(places.indexAt(72, 3_000)).toBe(1);
  });

  it('stay within the list before its top and behind its end', () => {
    const places = createRowPlaces(72);
    expect(places.indexAt(-500, 10)).toBe(0);
    expect(places.indexAt(9_999, 10)).toBe(9);
    expect(places.indexAt(0, 0)).toBe(0);
  });

  it('move when a row above is higher or lower than supposed', () => {
    const places = createRowPlaces(72);
    expect(places.topOf(5)).toBe(360);
    expect(places.measure(1, 100)).toBe(28);
    expect(places.topOf(1)).toBe(72);
    expect(places.topOf(5)).toBe(388);
    expect(places.indexAt(171, 10)).toBe(1);
    expect(places.indexAt(172, 10)).toBe(2);
    expect(places.measure(1, 40)).toBe(-60);
    expect(places.topOf(5)).toBe(328);
  });

  it('do not move for what is only rounding', () => {
    const places = createRowPlaces(72);
    expect(places.measure(0, 72.3)).toBe(0);
    expect(places.topOf(1)).toBe(72);
  });
});
