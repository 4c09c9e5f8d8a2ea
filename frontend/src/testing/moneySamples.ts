import type { Points, TransferTerms } from '@/shared/api/types';
import { MEMBER_SID } from './wireSamples';

// Sample replies about transfers and points.
export const BASIC_ACNO = '100000000000';
export const STOCK_ACNO = '100000000101';

const source = { unsettled: 0, held: 0 };

export const transferTerms: TransferTerms = {
  source: { ...source, acno: BASIC_ACNO, actNm: '기본 계좌', deposit: 4_790_000, held: 90_000, transferable: 4_700_000 },
  targets: [
    { acno: STOCK_ACNO, actNm: '주식 계좌', deposit: 1_200_000, isOpen: true },
    { acno: '02', actNm: '코인 계좌', deposit: 0, isOpen: false },
  ],
};

export const transferTermsOfStock: TransferTerms = {
  source: { ...source, acno: STOCK_ACNO, actNm: '주식 계좌', deposit: 1_200_000, transferable: 1_200_000 },
  targets: [{ acno: BASIC_ACNO, actNm: '기본 계좌', deposit: 4_790_000, isOpen: true }],
};

export const points: Points = {
  memberSid: MEMBER_SID,
  educationPoint: 120,
  earned: 170,
  moved: 50,
  spent: 0,
  today: { earned: 20, cap: 200 },
  multiplier: 1.3,
  level: 4,
  levelName: '중산층',
  popup: true,
};
