import type { ProfitPage, ProfitRow } from '@/shared/api/types';

// Sample replies about profit and loss.
export const soldSamsung: ProfitRow = {
  key: '005930',
  date: '2026-11-20',
  name: '삼성전자',
  code: '005930',
  marketCode: 'KOSPI',
  currency: 'KRW',
  qty: 12,
  buyAvg: 71_516.66666667,
  sellPrc: 72_400,
  pnl: 8_734,
  rate: 1.02,
  pricePart: 10_600,
  fxPart: 0,
  income: 0,
  cost: 1_866,
  paid: 858_200,
  orderSid: null,
  saleCount: 2,
};

export const soldApple: ProfitRow = {
  ...soldSamsung,
  key: 'AAPL',
  date: '2026-10-05',
  name: '애플',
  code: 'AAPL',
  marketCode: 'stocks',
  currency: 'USD',
  qty: 2,
  buyAvg: 230.51,
  sellPrc: 228.5,
  pnl: -7_100,
  rate: -1.05,
  pricePart: -5_910,
  fxPart: 512,
  cost: 1_702,
  paid: 678_377,
  saleCount: 1,
};

export const profitPage: ProfitPage = {
  summary: { realized: 5_202, unrealized: -2_100, income: 1_083, fee: 700, tax: 1_897, fx: 692, total: 896, rate: 0.05, thisMonth: 8_734 },
  rows: [soldSamsung, soldApple],
  totalCount: 2,
  nextCursor: null,
  season: 1,
  startDate: null,
  endDate: '2026-11-20',
  flows: { depositInit: 5_000_000, educationPoint: 30_000, buyDeposit: 0, items: -100_000, transfers: 0 },
};
