import type { PriceAlert } from '@/shared/api/types';

export const activeAlert: PriceAlert = {
  sid: 81,
  isuSrtCd: '005930',
  isuKorNm: '삼성전자',
  marketCode: 'KOSPI',
  currency: 'KRW',
  kind: 'ABOVE',
  value: 80_000,
  createdAt: '2026-11-21T09:00:00+09:00',
  firedAt: null,
  firedPrice: null,
  tickSeq: null,
};

export const firedAlert: PriceAlert = {
  ...activeAlert,
  sid: 80,
  isuSrtCd: 'KRW-BTC',
  isuKorNm: '비트코인',
  marketCode: 'COIN',
  kind: 'PERCENT',
  value: -3.5,
  firedAt: '2026-11-20T09:03:00+09:00',
  firedPrice: 99_000_000,
  tickSeq: 77,
};
