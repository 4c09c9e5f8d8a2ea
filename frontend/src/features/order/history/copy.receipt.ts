export const receiptCopy = {
  title: '왜 이 가격?',
  nth: (index: number, total: number) => `${total}번 중 ${index}번째 체결`,
  at: '체결 시각',
  qty: '체결 수량',
  price: '체결 가격',
  tick: '그때 시세',
  bid: '살 사람의 가격',
  ask: '팔 사람의 가격',
  amount: '체결 금액',
  fee: '수수료',
  tax: '세금',
  rate: '적용 환율',
  slippage: '슬리피지',
  exchangeCost: '환전 비용',
  included: '체결 금액에 포함',
  cap: '한 번에 체결될 수 있던 수량',
  model: '체결 방식',
  number: '시세 번호',
  none: '아직 체결된 내역이 없어요',
  average: '평균 가격',
  details: '자세히 보기',
  more: '자세히',
} as const;

/** The version of the fill rules in words: `v1` is the first edition. */
export function modelName(version: string): string {
  const [, edition] = /^v(\d+)$/.exec(version) ?? [];
  return edition === undefined ? version : `연습 체결 규칙 ${edition}판`;
}

/** A fill rule, explained without order book terms. */
export function ruleSentence(rule: string, side: 'buy' | 'sell', slippageTicks: number): string {
  switch (rule) {
    case 'MARKET_BID_ASK':
      return side === 'buy'
        ? '시장가 주문이라 팔겠다는 사람의 가격에 바로 샀어요.'
        : '시장가 주문이라 사겠다는 사람의 가격에 바로 팔았어요.';
    case 'MARKET_ONE_TICK_WORSE':
      return `시장가 주문은 바로 체결되는 대신 그때 시세보다 가격 ${slippageTicks}단계 ${side === 'buy' ? '비싸게' : '싸게'} 체결돼요.`;
    case 'LIMIT_TAKER':
      return '주문을 넣을 때 이미 조건이 맞아서, 정한 가격보다 나쁘지 않은 가격에 바로 체결됐어요.';
    case 'LIMIT_THROUGH':
      return '시세가 정한 가격을 지나가서 정한 가격 그대로 체결됐어요.';
    case 'LIMIT_AT_PRICE':
      return '시세가 정한 가격에 닿았고, 먼저 기다리던 주문 다음에 차례가 와서 체결됐어요.';
    case 'OPENING_GAP':
      return '장이 열릴 때 시세가 정한 가격을 건너뛰어서 시작 가격에 체결됐어요.';
    case 'AUCTION':
      return '모두 같은 가격에 체결되는 시간이라 그 가격에 체결됐어요.';
    default:
      return '그때 시세에 맞춰 체결됐어요.';
  }
}
