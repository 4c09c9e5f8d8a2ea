import { HttpResponse } from 'msw/http';
import type { Assets, Fill, Holding, Item, Member, Order, OrderReply, OrderTerms } from '@/shared/api/types';

// Sample replies of the gateway, one valid reply each.
export const MEMBER_SID = 100_001;

export const samsung: Item = {
  isuSrtCd: '005930',
  isuKorNm: '삼성전자',
  isuEngNm: 'Samsung Electronics',
  marketCode: 'KOSPI',
  exChangeCode: 'KRX',
  currency: 'KRW',
  trdPrc: 71_300,
  prevDdPrc: 70_200,
  flucRt: 1.57,
  flucPrc: 1_100,
  opnPrc: 70_200,
  hgPrc: 71_900,
  lwPrc: 69_800,
  accVol: 1_000,
  tickSeq: 10,
  trdDd: '20261121',
  trdTm: '130000',
  session: 'OPEN',
  warnCode: '00',
  halted: false,
  tradable: true,
  like: false,
  unit: '주',
};

export const samsungTerms: OrderTerms = {
  acno: '100000000000',
  isuSrtCd: '005930',
  availableCash: 1_000_000,
  maxBuyQty: 13,
  sellableQty: 3,
  feeRate: 0.00015,
  taxRate: 0.002,
  tickTable: [
    { from: 0, tick: 1 },
    { from: 50_000, tick: 100 },
  ],
  limits: { lower: 49_200, upper: 91_200 },
  fxRate: null,
  session: 'OPEN',
  qtyStep: 1,
  minAmount: 0,
  warnCode: '00',
  tradable: true,
  trdPrc: 71_300,
  currency: 'KRW',
};

export const waitingOrder: Order = {
  orderSid: 501,
  acno: '100000000000',
  isuSrtCd: '005930',
  isuKorNm: '삼성전자',
  marketCode: 'KOSPI',
  currency: 'KRW',
  side: 'BUY',
  orderGb: '매수주문',
  orderCategory: 'STOCK',
  status: 'ACCEPTED',
  statusName: '미체결',
  juPrc: 70_000,
  juQty: 2,
  filledQty: 0,
  remainQty: 2,
  filledAmount: 0,
  fee: 0,
  tax: 0,
  heldAmount: 140_021,
  waitingForPrice: false,
  orderTime: '2026-11-21T00:05:00+09:00',
  expireTime: '2026-11-22T00:00:00+09:00',
};

export const filledOrder: Order = {
  ...waitingOrder,
  juPrc: null,
  juQty: 3,
  status: 'FILLED',
  statusName: '체결',
  filledQty: 3,
  remainQty: 0,
  avgPrc: 71_400,
  filledAmount: 214_200,
  fee: 32,
  heldAmount: 0,
};

export const fill: Fill = {
  fillSid: 9,
  orderSid: 501,
  tickSeq: 11,
  eventTime: '2026-11-21T00:05:01+09:00',
  tickPrc: 71_300,
  rule: 'MARKET_ONE_TICK_WORSE',
  slippageTicks: 1,
  fillQty: 3,
  fillPrc: 71_400,
  amount: 214_200,
  fee: 32,
  tax: 0,
  modelVersion: 'v1',
};

export const holding: Holding = {
  acno: '100000000000',
  isuSrtCd: '005930',
  isuKorNm: '삼성전자',
  marketCode: 'KOSPI',
  currency: 'KRW',
  juQty: 3,
  heldQty: 0,
  juPrc: 70_000,
  totalJuPrc: 210_000,
  trdPrc: 71_300,
  prevDdPrc: 70_200,
  flucRt: 1.57,
  evalPrc: 213_900,
  profitPrc: 3_900,
  profitRt: 1.86,
  warnCode: '00',
  like: false,
};

export const assets: Assets = {
  memberSid: MEMBER_SID,
  total: 5_003_900,
  base: 5_000_000,
  profitRt: 0.08,
  level: 1,
  levelName: '빈털터리',
  levelGauge: 50,
  toNextLevel: 4_996_100,
  multiplier: 1,
  accounts: [
    {
      acno: '100000000000',
      actTcd: '00',
      actNm: '기본 계좌',
      accountType: 'BASIC',
      deposit: 4_790_000,
      held: 0,
      available: 4_790_000,
      depositInit: 5_000_000,
      depositEducationPoint: 0,
      buyDeposit: 0,
      purchasedItems: 0,
      holdingsValue: 213_900,
      holdingsCost: 210_000,
      transferable: 4_790_000,
      total: 5_003_900,
      base: 5_000_000,
      profitRt: 0.08,
      isClosed: false,
    },
  ],
};

export const member: Member = {
  sid: MEMBER_SID,
  email: 'minji@example.kr',
  nickname: '새싹민지',
  gender: null,
  birthYear: 1998,
  os: 'web',
  tutorial: true,
  welcomePopup: true,
  subscribe: false,
  competitionMode: false,
  competitionAccountSid: null,
  operator: false,
  emailVerified: false,
  insertTime: '2026-11-21T09:00:00+09:00',
};

export const sessionReply = { memberSid: MEMBER_SID, accessToken: 'token', refreshToken: 'refresh', expiresIn: 900 };

export function replyTo(order: Order): OrderReply {
  const { orderSid, status, filledQty, remainQty, fee, tax } = order;
  return { orderSid, status, filledQty, remainQty, fee, tax, avgPrc: order.avgPrc ?? null, message: '', order, fills: [] };
}

/** A rejection as sent by the gateway. */
export function problem(status: number, code: number, reason: string, message = '') {
  return HttpResponse.json(
    { code, reason, message, traceId: 'trace' },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  );
}
