import type { Account, CancelInfo, Contract, ContractSchedule, ItemList, Points, ShopItem, TransferTerms } from '@/shared/api/types';
import { MEMBER_SID } from './wireSamples';

// Sample replies about transfers, points, contracts and items.
export const BASIC_ACNO = '100000000000';
export const STOCK_ACNO = '100000000101';
export const CONTRACT_ACNO = '100000000203';

const source = { unsettled: 0, held: 0 };

export const transferTerms: TransferTerms = {
  source: { ...source, acno: BASIC_ACNO, actNm: '기본 계좌', deposit: 4_790_000, held: 90_000, transferable: 4_700_000 },
  targets: [
    { acno: STOCK_ACNO, actNm: '주식 계좌', deposit: 1_200_000, isOpen: true },
    { acno: '02', actNm: '코인 계좌', deposit: 0, isOpen: false },
    { acno: '05', actNm: 'CMA', deposit: 0, isOpen: false },
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

export const contract: Contract = {
  acno: CONTRACT_ACNO,
  productSid: 7,
  name: '새싹 정기예금',
  bank: '새싹은행',
  bankCd: '0010001',
  kind: 'DEPOSIT',
  status: 'ACTIVE',
  rate: 3.5,
  baseRate: 2.9,
  interestType: '01',
  rsrvType: null,
  openedOn: '2026-08-21',
  maturesOn: '2027-08-21',
  closedOn: null,
  term: 12,
  monthsElapsed: 3,
  amount: 3_000_000,
  paidIn: 3_000_000,
  paymentsMade: 1,
  paymentsDue: 1,
  paymentsMissed: 0,
  nextPaymentOn: null,
  transferDay: null,
  accrued: 7_500,
  payoutAtMaturity: 3_088_830,
  maturityAction: 'PAY',
  notice: null,
  monthlyCap: null,
  paidThisMonth: null,
  payable: 0,
};

export const contractAccount: Account = {
  acno: CONTRACT_ACNO,
  actTcd: '03',
  actNm: '새싹 정기예금',
  accountType: 'DEPOSIT',
  deposit: 3_000_000,
  held: 0,
  available: 3_000_000,
  depositInit: 0,
  depositEducationPoint: 0,
  buyDeposit: 0,
  purchasedItems: 0,
  holdingsValue: 7_500,
  holdingsCost: 0,
  transferable: 0,
  total: 3_007_500,
  base: 3_000_000,
  profitRt: 0.25,
  isClosed: false,
};

export const savingsContract: Contract = {
  ...contract,
  acno: '100000000204',
  name: '새싹 적금',
  kind: 'SAVE',
  rsrvType: 'S',
  amount: 300_000,
  paidIn: 900_000,
  paymentsMade: 3,
  paymentsDue: 4,
  nextPaymentOn: '2026-12-05',
  transferDay: 5,
  payable: 300_000,
};

export const cancelInfo: CancelInfo = {
  acno: CONTRACT_ACNO,
  principal: 3_000_000,
  monthsElapsed: 3,
  term: 12,
  appliedRate: 1,
  interest: 7_500,
  tax: 1_150,
  incomeTax: 1_050,
  localTax: 100,
  payout: 3_006_350,
  payoutAtMaturity: 3_088_830,
  loss: 82_480,
  matured: false,
};

export const schedule: ContractSchedule = {
  acno: CONTRACT_ACNO,
  payments: [{ number: 0, dueOn: '2026-08-21', paidOn: '2026-08-21', amount: 3_000_000, state: 'PAID' }],
  months: [
    { month: 1, on: '2026-09-21', paidIn: 3_000_000, interest: 8_750 },
    { month: 2, on: '2026-10-21', paidIn: 3_000_000, interest: 17_500 },
  ],
  maturesOn: '2027-08-21',
  principal: 3_000_000,
  interest: 105_000,
  incomeTax: 14_700,
  localTax: 1_470,
  payout: 3_088_830,
};

export const frame: ShopItem = {
  itemSid: 10,
  name: '새싹 테두리',
  category: 'COLLECTIBLE',
  slot: 'FRAME',
  currency: 'KRW',
  price: 100_000,
  effect: '프로필에 새싹 테두리를 둘러요.',
  image: 'frame-sprout',
  limitPerMember: 1,
  stock: 100,
  left: 7,
  saleFrom: null,
  saleTo: null,
  buyDeposit: null,
  onSale: true,
};

export const pack: ShopItem = {
  ...frame,
  itemSid: 3,
  name: '열매 주머니',
  category: 'DEPOSIT_PACK',
  slot: null,
  currency: 'CASH',
  price: 10,
  effect: '계좌에 10,000원을 넣어 줘요.',
  image: 'pack-fruit',
  limitPerMember: null,
  stock: null,
  left: null,
  buyDeposit: 10_000,
};

export const shop: ItemList = { catalogue: [pack, frame], owned: [], purchases: [], nextCursor: null };
