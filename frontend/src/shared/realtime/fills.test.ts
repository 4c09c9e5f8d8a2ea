import { afterEach, describe, expect, it, vi } from 'vitest';
import { emitFill, emitFillGap, type FillEvent, clearEarlyFills, onFill, onFillGap } from './fills';

const fill = (seq: number): FillEvent => ({ fill: { orderSid: seq }, order: {}, raw: { seq } });
const hear = () => {
  const heard: unknown[] = [];
  const stop = onFill(({ raw }) => heard.push(raw.seq));
  return { heard, stop };
};

afterEach(clearEarlyFills);

describe('fills before the first listener', () => {
  it('are emitted to the first one, once', () => {
    emitFill(fill(1));
    emitFill(fill(2));
    const first = hear();
    emitFill(fill(3));
    const second = hear();
    expect(first.heard).toEqual([1, 2, 3]);
    expect(second.heard).toEqual([]);
    first.stop();
    second.stop();
  });

  it('are bounded, keeping the newest', () => {
    for (let seq = 1; seq <= 60; seq += 1) emitFill(fill(seq));
    const { heard, stop } = hear();
    expect([heard.length, heard[0], heard.at(-1)]).toEqual([50, 11, 60]);
    stop();
  });

  it('are not emitted to the next member', () => {
    emitFill(fill(1));
    emitFillGap();
    clearEarlyFills();
    const { heard, stop } = hear();
    const gaps = vi.fn();
    const stopGaps = onFillGap(gaps);
    expect([heard, gaps.mock.calls]).toEqual([[], []]);
    stop();
    stopGaps();
  });

  it('may be missing, which is emitted as well', () => {
    emitFillGap();
    const gaps = vi.fn();
    const stop = onFillGap(gaps);
    expect(gaps).toHaveBeenCalledTimes(1);
    stop();
  });
});
