import { describe, expect, it } from 'vitest';
import { WHOLE, within, zoomedAt } from './zoom';

const frame = { left: 0, top: 0, width: 400, height: 800 };

describe('zooming', () => {
  it('keeps the point that was touched where it is', () => {
    expect(zoomedAt(WHOLE, 2, { x: 200, y: 400 }, frame)).toEqual({ scale: 2, x: 0, y: 0 });
    expect(zoomedAt(WHOLE, 2, { x: 300, y: 500 }, frame)).toEqual({ scale: 2, x: -100, y: -100 });
  });

  it('ends at the edge and between the whole and four times it', () => {
    expect(zoomedAt(WHOLE, 9, { x: 400, y: 800 }, frame)).toEqual({ scale: 4, x: -600, y: -1200 });
    expect(zoomedAt({ scale: 3, x: 300, y: 0 }, 0.5, { x: 0, y: 0 }, frame)).toMatchObject({ scale: 1 });
    expect(within({ scale: 2, x: 999, y: -999 }, frame)).toEqual({ scale: 2, x: 200, y: -400 });
    expect(Math.abs(within({ scale: 1, x: 50, y: 50 }, frame).x)).toBe(0);
  });
});
