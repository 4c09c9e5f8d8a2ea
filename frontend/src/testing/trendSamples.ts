import { samsung } from './wireSamples';

// Sample replies of the market trend routes.
const asOf = '2026-11-21T13:05:00+09:00';
const hynix = { ...samsung, isuSrtCd: '000660', isuKorNm: 'SK하이닉스', trdPrc: 180_000, prevDdPrc: 185_000 };
const bitcoin = { ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' as const };

export const kospiTrend = {
  type: 'KOSPI',
  index: { name: '코스피', value: 2_612.3, diff: 12.34, rate: 0.47, asOf, delayed: false },
  breadth: { up: 512, flat: 80, down: 301 },
  gainers: [samsung],
  losers: [hynix],
  volume: [samsung, hynix],
  value: [hynix, samsung],
  sectors: [
    { code: '1', name: '반도체', rate: 1.2 },
    { code: '2', name: '은행', rate: 0.001 },
    { code: '3', name: '철강', rate: -0.8 },
  ],
  asOf,
};

export const coinTrend = {
  ...kospiTrend,
  type: 'COIN',
  index: { name: '비트코인', value: 150_176_000, diff: -467_000, rate: -0.31, asOf, delayed: false },
  gainers: [bitcoin],
  sectors: [],
};

export const goldTrend = {
  type: 'GOLD',
  index: { name: '금', value: 128_500, diff: 500, rate: 0.39, asOf, delayed: false },
  gold: { wonPerG: 128_500, usdPerOz: 2_650.125, fxRate: 1_400.5, premiumRate: 1.83 },
  items: [{ ...samsung, isuSrtCd: '04020000', isuKorNm: '금 99.99', marketCode: 'GOLD' as const, unit: 'g' }],
  asOf,
};

export const productTrend = {
  averages: [
    { prdtTcd: '03', saveTrm: 12, average: 3.1, best: 3.85, count: 36 },
    { prdtTcd: '04', saveTrm: 24, average: 3.4, best: 5, count: 21 },
  ],
  movers: [{ product: { sid: 7, prdtNm: '새싹정기예금', bankNm: '나무은행' }, before: 3.5, after: 3.25 }],
  asOf,
};
