import { describe, expect, it } from 'vitest';
import { samsung } from '@/testing/wireSamples';
import { ITEM_SORTS, type ItemSort, sortItems } from './sortItems';

const dear = { ...samsung, isuSrtCd: 'dear', isuKorNm: '하이닉스', trdPrc: 300_000, prevDdPrc: 310_000, accVol: 1 };
const dollars = { ...samsung, isuSrtCd: 'usd', isuKorNm: 'Apple', trdPrc: 230, prevDdPrc: 230, currency: 'USD' as const, fxRt: 1_400, accVol: 10 };
const busy = { ...samsung, isuSrtCd: 'busy', isuKorNm: '가온', trdPrc: 1_000, prevDdPrc: 900, accVol: 1_000_000 };

describe('the order of instruments', () => {
  it.each<[ItemSort, string[]]>([
    ['given', ['dear', 'usd', 'busy']],
    ['rateUp', ['busy', 'usd', 'dear']],
    ['rateDown', ['dear', 'usd', 'busy']],
    ['value', ['busy', 'usd', 'dear']],
    // 230 dollars are 322,000 won.
    ['price', ['usd', 'dear', 'busy']],
    ['name', ['busy', 'dear', 'usd']],
  ])('%s', (sort, codes) => {
    expect(sortItems([dear, dollars, busy], sort).map(({ isuSrtCd }) => isuSrtCd)).toEqual(codes);
    expect(ITEM_SORTS).toContain(sort);
  });

  it('uses the reported change without a previous close, and puts dollars without a rate last', () => {
    const fresh = { ...busy, isuSrtCd: 'new', prevDdPrc: 0, flucRt: 30 };
    expect(sortItems([busy, fresh], 'rateUp').map(({ isuSrtCd }) => isuSrtCd)).toEqual(['new', 'busy']);
    const { fxRt, ...rateless } = dollars;
    expect(fxRt).toBe(1_400);
    expect(sortItems([rateless, busy], 'price').map(({ isuSrtCd }) => isuSrtCd)).toEqual(['busy', 'usd']);
  });
});
