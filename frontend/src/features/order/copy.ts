import { given } from '@/shared/copy/copy.given';
import { josa } from '@/shared/format/josa';
import type { HoldMargin } from '@/features/order/rules/holdMargin';
import type { OrderSide } from '@/features/order/rules/orderSides';

const SIDE = given.sides;

export const orderCopy = {
  screen: '주문',
  title: (name: string, side: OrderSide) => `${name} ${SIDE[side]}`,
  offline: '연결되면 이어서 주문할 수 있어요',
  market: '시장가',
  limit: '지정가',
  kinds: '주문 방법',
  price: '가격',
  priceInput: '가격 입력',
  priceUp: '가격 올리기',
  priceDown: '가격 내리기',
  qty: '수량',
  qtyInput: '수량 입력',
  amount: '금액',
  amountInput: '금액 입력',
  amountPlaceholder: (side: OrderSide) => `얼마어치 ${SIDE[side]}할까요?`,
  measures: '주문 단위',
  /** What an amount buys, and the remainder. */
  reachesForWithRest: (qty: string, rest: string) => `${qty} · ${rest} 남아요`,
  reachesForNone: (unit: string, each: string | null) => `1${unit} 가격${each === null ? '' : `(${each})`}보다 적어요`,
  noRate: '아직 환율을 받지 못해서 수량을 계산할 수 없어요',
  mostWithMargin: (qty: string) => `시장가는 가격이 오를 수 있어서 여유를 두고 ${qty}까지 주문할 수 있어요`,
  pricePlaceholder: '얼마에 주문할까요?',
  qtyPlaceholder: (unit: string, side: OrderSide) => `몇 ${unit} ${SIDE[side]}할까요?`,
  lessThanOne: (ratio: number, unit: string) =>
    ratio === 100 ? `주문 가능 금액이 1${unit} 가격보다 적어요` : `${ratio}%는 1${unit}보다 적어요`,
  marketPrice: '지금 가격 근처에서 체결돼요',
  orderable: '주문 가능',
  owned: '보유',
  expected: '예상 금액',
  calculating: '계산하고 있어요',
  quickPrices: '자주 쓰는 가격',
  nearestPrices: '가까운 가격',
  currentPrice: '현재가',
  percentAway: (side: OrderSide, percent: number) => `${side === 'buy' ? '−' : '+'}${percent}%`,
  book: (ask: string, bid: string) => `살 때 ${ask} · 팔 때 ${bid}`,
  spread: (gap: string) => `차이 ${gap}`,
  won: '원',
  /** The no-break space keeps the word with its figure. */
  about: (amount: string) => `약\u00a0${amount}`,
  now: '지금 가격',
  closed: '지금은 장이 닫혀 있어요. 열리면 주문돼요.',
  auction: '지금은 동시호가 시간이에요. 주문을 모아 한 가격에 체결돼요.',
  interrupted: '가격이 크게 움직여 잠시 주문을 모으고 있어요. 곧 한 가격에 체결돼요.',
  halted: '지금은 거래가 멈춰 있어요',
  notTradable: '지금은 주문할 수 없는 종목이에요',
  /** A stored order is cut to what can be ordered now. */
  cut: (most: string) => `지금 주문할 수 있는 ${most}만 남겼어요`,
  nothingFits: '지금은 주문할 수 있는 만큼이 없어서 수량을 지웠어요',
  nothingToSell: '판매할 수 있는 수량이 없어요',
} as const;

/** Given sentences. */
export function orderPlaced(name: string, side: OrderSide): string {
  return given.orderDone(name, SIDE[side], '주문');
}

export function orderModified(name: string, side: OrderSide): string {
  return given.orderDone(name, SIDE[side], '정정');
}

export function orderCanceled(name: string, side: OrderSide): string {
  return given.orderDone(name, SIDE[side], '취소');
}

/** What the hold of a buy includes, before a sentence about buying power. */
function withMargin(margin: HoldMargin | null): string {
  return margin === null ? '' : HOLD_MARGINS[margin];
}

const HOLD_MARGINS: Record<HoldMargin, string> = {
  market: '여유 5%를 더하면 ',
  rate: '환율 여유 3%를 더하면 ',
  marketAndRate: '가격 여유 5%와 환율 여유 3%를 더하면 ',
  upperLimit: '장이 열릴 때 가격을 몰라 상한가로 계산하면 ',
};

export const issueCopy = {
  'no-price': '가격을 입력해주세요',
  'no-qty': '수량을 입력해주세요',
  noAmount: '금액을 입력해주세요',
  offTick: (tick: string) => `${tick} 단위로 입력해주세요`,
  overLimit: (price: string) => `오늘은 ${price}까지 주문할 수 있어요`,
  underLimit: (price: string) => `오늘은 ${price}부터 주문할 수 있어요`,
  offStep: (step: string) => `${step} 단위로 입력해주세요`,
  maxBuy: (qty: string, margin: HoldMargin | null) => `${withMargin(margin)}최대 ${qty}까지 살 수 있어요`,
  overCash: (won: string) => `주문 가능 금액보다 ${won} 많아요`,
  overHolding: '가진 수량보다 많아요',
  underMinimum: (won: string) => `${won}부터 주문할 수 있어요`,
} as const;

/** The distance of a price from the live price; `percent` is unsigned. */
export const distanceCopy = {
  above: (percent: string) => `현재가보다 ${percent} 높아요`,
  below: (percent: string) => `현재가보다 ${percent} 낮아요`,
  none: '현재가와 같아요',
} as const;

export const confirmCopy = {
  question: (name: string, qty: string, amount: string | null, side: OrderSide) =>
    amount === null ? `${name} ${qty} ${SIDE[side]}할까요?` : `${name} ${qty} ${amount}에 ${SIDE[side]}할까요?`,
  amount: '주문 금액',
  rate: '적용 환율',
  rateMade: (middle: string, percent: string) => `기준 환율 ${middle}, 환전 비용 ${percent} 반영`,
  atMost: (won: string) => `지금 가격으로 많아도 ${won}이에요. 가격이 오를 수 있어서 이만큼 묶어두고, 남으면 돌려드려요.`,
  atMostAmount: (won: string) => `많아도 ${won}이에요. 가격이 오르면 이 금액으로 살 수 있는 만큼만 사고, 남은 돈은 돌려드려요.`,
  held: (won: string) => `체결될 때까지 ${won}을 묶어둬요. 수수료는 올려서 묶고, 남으면 돌려드려요.`,
  heldDollars: (won: string) => `체결될 때까지 약 ${won}을 묶어둬요. 환율이 오를 수 있어서 3% 넉넉하게 묶고, 남으면 돌려드려요.`,
  noSums: '금액을 계산하지 못했어요. 가격과 수량을 확인해주세요.',
  until: '주문 기한',
  untils: { day: '오늘 거래가 끝날 때까지', nextDay: '다음 거래일이 끝날 때까지', quarter: '90일 동안' },
  market: '지금 가격 근처에서 체결돼요',
  method: '주문 방법',
  each: (unit: string) => `1${unit} 가격`,
  fee: '수수료',
  tax: '세금',
  totalBuy: '모두 더한 금액',
  totalSell: '받을 금액',
  none: '없어요',
  /** Surrounds the size of a price move; an arrow shows its direction. */
  moved: ['가격이 ', ' 바뀌었어요.'],
  movedTo: (price: string) => `지금 가격은 ${price}이에요. 이 가격으로 주문할까요?`,
  overnight: '장이 닫혀 있어서 열리면 주문돼요',
  profit: '예상 손익',
  averageAfter: '구매 뒤 평균 산 가격',
  change: (name: string, side: OrderSide) => `${name} ${SIDE[side]} 주문을 정정할까요?`,
  was: (before: string) => `원래 ${before}`,
} as const;

export const modifyCopy = {
  title: (name: string, side: OrderSide) => `${name} ${SIDE[side]} 정정`,
  action: '정정하기',
  unchanged: '가격이나 수량을 바꿔주세요',
  failed: '정정하지 못했어요',
  failedFallback: '정정하지 못했어요. 잠시 후 다시 시도해주세요.',
  tooLate: '이미 끝난 주문이라 바꿀 수 없어요',
  moved: (rest: string) => `그사이 주문이 바뀌어서 ${rest} 남았어요. 다시 확인해주세요.`,
} as const;

export const historyCopy = {
  screen: '주문 내역',
  types: { ALL: '전체', FILLED: '체결', WAIT: '대기', CANCELED: '취소' },
  typesLabel: '주문 상태',
  periods: { month: '1개월', quarter: '3개월', all: '전체 기간', custom: '직접 선택' },
  periodLabel: '조회 기간',
  empty: '이 기간에는 주문 내역이 없어요',
  row: (qty: string, price: string) => `${qty} × ${price}`,
  worth: (won: string) => `${won}어치`,
  filled: '체결',
} as const;

export const resultCopy = {
  filledAt: (won: string) => `${won}에 체결됐어요`,
  partly: (filled: string, rest: string) => `${filled} 체결됐고 ${rest}는 기다리고 있어요`,
  partlyWhy: '시장가 주문도 한 번에 거래된 수량의 25%까지만 체결돼요. 남은 수량은 다음 거래에서 이어서 체결돼요.',
  waits: '체결을 기다려요',
  accepted: '주문을 넣었어요. 체결되면 알려드릴게요.',
  changed: '주문을 바꿨어요. 체결되면 알려드릴게요.',
  working: '체결되는 중이에요',
  queued: '장이 열리면 주문돼요',
  waitingForPrice: '시세를 기다리고 있어요',
  seeWaiting: '대기 주문 보기',
  why: '왜 이 가격?',
  filledQty: '체결 수량',
  filledPrice: '체결 가격',
  averagePrice: '평균 체결 가격',
  filledAmount: '체결 금액',
  paid: '낸 돈',
  received: '받은 돈',
  earned: '번 돈',
  lost: '잃은 돈',
  profitNote: '손익은 팔 때 든 비용만 뺐어요. 살 때 낸 수수료는 빼지 않았어요.',
  amountLimit: '정한 금액',
  /** What the order amount no longer bought. */
  notBought: (rest: string | null) => (rest === null ? '가격이 올라서 정한 금액으로 사지 못했어요' : `가격이 올라서 ${rest} 덜 샀어요`),
  waitingQty: '기다리는 수량',
  limitPrice: '주문 가격',
  held: '묶어둔 돈',
  until: '주문 기한',
  untilTime: (day: string, time: string) => `${day} ${time}까지`,
  cashLeft: '남은 주문 가능 금액',
  sharesLeft: '남은 수량',
  seeHoldings: '보유 종목 보기',
  seeOthers: '다른 종목 둘러보기',
  failed: '주문하지 못했어요',
  failedFallback: '주문하지 못했어요. 잠시 후 다시 시도해주세요.',
  unknownTitle: '주문이 들어갔는지 확인하지 못했어요',
  unknownBody: '다시 시도해도 같은 주문이 두 번 들어가지 않아요.',
  checkAgain: '다시 시도',
} as const;

/** A quantity with its object particle: 3주를, 0.5개를, 10g을. */
export function withObjectParticle(quantityText: string): string {
  return quantityText.endsWith('g') ? `${quantityText}을` : josa(quantityText, '을/를');
}

/** Why an order ended without being filled. */
export function endReasonSentence(reason: string): string {
  switch (reason) {
    case 'SLIPPAGE_GUARD':
      return '가격이 많이 움직여서 주문을 멈췄어요';
    case 'STALE_MARKET':
      return '시세가 한동안 오지 않아서 주문을 취소했어요';
    case 'INSUFFICIENT_CASH':
      return '주문 가능 금액이 모자라서 남은 주문을 취소했어요';
    case 'AMOUNT_REACHED':
      return resultCopy.notBought(null);
    case 'PRICE_LIMIT':
      return '가격이 오늘의 범위를 벗어나 주문을 취소했어요';
    default:
      return '';
  }
}

export const waitingCopy = {
  screen: '대기 주문',
  /** A tab with the number of its orders. */
  counted: (tab: string, count: number) => (count === 0 ? tab : `${tab} ${count}`),
  tabsLabel: '종류',
  sorts: { newest: '최근 주문순', oldest: '오래된 주문순', name: '이름순' },
  empty: '대기 중인 주문이 없어요',
  browse: '종목 둘러보기',
  row: (qty: string, price: string) => `${qty} · ${price}`,
  market: '시장가',
  filled: (filled: string) => `${filled} 체결`,
  held: (won: string) => `묶어둔 돈 ${won}`,
  forPrice: '시세 대기 중',
  modifyShort: '정정',
  cancelShort: '취소',
  menuOf: (name: string) => `${name} 주문 정정하거나 취소하기`,
  cancelQuestion: '주문을 취소할까요?',
  /** What a cancellation removes: side, remaining quantity and price. */
  canceled: (side: OrderSide, qty: string, price: string) => `${SIDE[side]} ${qty} · ${price}`,
  cancel: '주문 취소',
  alreadyFilled: '이미 체결된 주문이에요',
  unknown: '취소됐는지 확인하지 못했어요. 목록에서 확인해주세요.',
  failed: '취소하지 못했어요. 잠시 후 다시 시도해주세요.',
} as const;
