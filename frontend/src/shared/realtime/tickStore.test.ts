import { describe, expect, it, vi } from 'vitest';
import type { Tick } from './tick';
import { createTickStore } from './tickStore';

const tick = (code: string, seq: number, price = seq): Tick => ({
  code,
  seq,
  price,
  previousClose: 1,
  open: 1,
  high: 1,
  low: 1,
  changePercent: 0,
  volume: 0,
  date: '',
  time: '',
  currency: 'KRW',
  fxRate: null,
  session: 'OPEN',
  interruption: null,
  bid: null,
  ask: null,
});

function storeWithFrames() {
  const frames: (() => void)[] = [];
  const store = createTickStore((flush) => frames.push(flush));
  return { store, frames, nextFrame: () => frames.splice(0).forEach((flush) => flush()) };
}

describe('a change of session without a trade', () => {
  it('is emitted although the sequence stays, once', () => {
    let flush: () => void = () => undefined;
    const store = createTickStore((run) => {
      flush = run;
    });
    const heard: (string | undefined)[] = [];
    store.subscribe('A', '/stock/realData', () => heard.push(store.get('A')?.session));
    const apply = (change: Partial<Tick>) => {
      store.apply([{ ...tick('A', 7), ...change }]);
      flush();
    };
    apply({});
    apply({ session: 'AUCTION' });
    apply({ session: 'AUCTION' });
    apply({ session: 'AUCTION', interruption: 'DYNAMIC' });
    apply({ seq: 6 });
    expect(heard).toEqual(['OPEN', 'AUCTION', 'AUCTION']);
    expect(store.get('A')?.interruption).toBe('DYNAMIC');
  });
});

describe('the start of a day without a trade', () => {
  const last = { ...tick('A', 7, 50_000), previousClose: 48_000, open: 48_500, high: 51_000, low: 48_000, volume: 900 };
  const begun = (price: number) => ({ ...last, price, previousClose: price, open: price, high: price, low: price, volume: 0 });

  it.each([
    ['after a split', 10_000],
    ['at the price of the day before', 50_000],
  ])('is shown %s, once, until the next trade', (_, price) => {
    const { store, nextFrame } = storeWithFrames();
    const listener = vi.fn();
    store.subscribe('A', '/stock/realData', listener);
    const apply = (next: Tick) => {
      store.apply([next]);
      nextFrame();
    };
    apply(last);
    apply(begun(price));
    apply(begun(price));
    apply({ ...last, seq: 6 });
    expect(store.get('A')).toEqual(begun(price));
    expect(listener).toHaveBeenCalledTimes(2);
    apply({ ...begun(price), seq: 8, price: price + 100 });
    expect(store.get('A')?.price).toBe(price + 100);
  });
});

describe('the tick store', () => {
  it('calls only the listeners of changed codes, once a frame', () => {
    const { store, frames, nextFrame } = storeWithFrames();
    const [samsung, apple] = [vi.fn(), vi.fn()];
    store.subscribe('005930', '/stock/realData', samsung);
    store.subscribe('AAPL', '/globalStock/realData', apple);
    for (let seq = 1; seq <= 100; seq += 1) store.apply([tick('005930', seq)]);
    expect(frames).toHaveLength(1);
    expect(samsung).not.toHaveBeenCalled();
    nextFrame();
    expect(samsung).toHaveBeenCalledTimes(1);
    expect(apple).not.toHaveBeenCalled();
    expect(store.get('005930')?.price).toBe(100);
  });

  it('drops a tick that is not newer', () => {
    const { store, nextFrame } = storeWithFrames();
    store.apply([tick('A', 5, 50), tick('A', 4, 40), tick('A', 5, 50)]);
    nextFrame();
    expect(store.get('A')?.price).toBe(50);
    store.apply([tick('A', 3, 30)]);
    nextFrame();
    expect(store.get('A')?.price).toBe(50);
  });

  it('returns the same object until the code changes', () => {
    const { store, nextFrame } = storeWithFrames();
    store.apply([tick('A', 1)]);
    nextFrame();
    const first = store.get('A');
    store.apply([tick('B', 1)]);
    nextFrame();
    expect(store.get('A')).toBe(first);
  });

  it('tracks the watched codes, and drops them with the last listener', () => {
    const { store } = storeWithFrames();
    const changes = vi.fn();
    store.onWatchedChange(changes);
    const leaveFirst = store.subscribe('A', '/coin/realData', vi.fn());
    const leaveSecond = store.subscribe('A', '/coin/realData', vi.fn());
    expect(store.watched().get('/coin/realData')).toEqual(new Set(['A']));
    expect(changes).toHaveBeenCalledTimes(1);
    leaveFirst();
    expect(changes).toHaveBeenCalledTimes(1);
    leaveSecond();
    expect(store.watched().size).toBe(0);
    expect(changes).toHaveBeenCalledTimes(2);
  });

  it('clears prices on demand', () => {
    const { store, nextFrame } = storeWithFrames();
    store.apply([tick('A', 9)]);
    nextFrame();
    store.clear();
    expect(store.get('A')).toBeUndefined();
    store.apply([tick('A', 1)]);
    nextFrame();
    expect(store.get('A')?.seq).toBe(1);
  });
});
