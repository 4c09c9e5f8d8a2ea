import type { CommodityPrice, Interest, Item, Product, ProductDetail } from '@/shared/api/types';
import { samsung } from './wireSamples';

// Sample replies about gold, deposits and savings.
export const goldBar: Item = {
  ...samsung,
  isuSrtCd: '04020000',
  isuKorNm: '금 99.99_1Kg',
  marketCode: 'GOLD',
  exChangeCode: 'KRXGOLD',
  trdPrc: 187_500,
  prevDdPrc: 186_000,
  flucRt: 0.81,
  flucPrc: 1_500,
  unit: 'g',
};

export const oil: Item = {
  ...goldBar,
  isuSrtCd: 'WTI',
  isuKorNm: 'WTI 원유',
  exChangeCode: 'GLOBAL',
  currency: 'USD',
  trdPrc: 75,
  prevDdPrc: 75,
  flucRt: 0,
  fxRt: 1_400,
  tradable: false,
  unit: 'bbl',
};

export const exchangeRates = {
  rates: [
    { curUnit: 'JPY(100)', curNm: '일본 엔', rate: 930, prevRate: 930, flucRt: 0, asOf: '2026-11-21T13:05:00+09:00' },
    { curUnit: 'USD', curNm: '미국 달러', rate: 1_400.5, prevRate: 1_399.1, flucRt: 0.1, asOf: '2026-11-21T13:05:00+09:00' },
  ],
};

export const goldPrice: CommodityPrice = {
  item: goldBar,
  premium: {
    rate: 0.52,
    domesticPrc: 187_500,
    worldPrc: 186_530.2,
    worldUsdPerOz: 4_142.7,
    fxRate: 1_400.5,
    asOf: '2026-11-21T13:05:00+09:00',
  },
};

export const deposit: Product = {
  sid: 7,
  prdtNm: '새싹 정기예금',
  prdtTcd: '03',
  bankCd: '0010001',
  bankNm: '새싹은행',
  intrRateType: '01',
  saveTrm: 12,
  intrRate: 2.9,
  intrRate2: 3.5,
  minAmt: 1_000_000,
  maxAmt: 50_000_000,
  joinConditions: '급여를 받으면 0.3%\n첫 거래면 0.3%',
  rateMonth: '202404',
  like: false,
};

export const savings: Product = {
  ...deposit,
  sid: 8,
  prdtNm: '새싹 적금',
  prdtTcd: '04',
  rsrvType: 'F',
  intrRate2: 4,
  minAmt: null,
  maxAmt: null,
};

export const depositDetail: ProductDetail = {
  product: deposit,
  options: [
    { saveTrm: 6, intrRateType: '01', intrRate: 2.7, intrRate2: 3.2 },
    { saveTrm: 12, intrRateType: '01', intrRate: 2.9, intrRate2: 3.5 },
    { saveTrm: 12, intrRateType: '02', intrRate: 2.8, intrRate2: 3.4 },
  ],
  depositInsuranceLimit: 100_000_000,
  taxRate: 15.4,
};

export const interest: Interest = {
  principal: 10_000_000,
  interestBeforeTax: 350_000,
  tax: 53_900,
  interestAfterTax: 296_100,
  payout: 10_296_100,
  appliedRate: 3.5,
  saveTrm: 12,
  intrRateType: '01',
  schedule: [],
};
