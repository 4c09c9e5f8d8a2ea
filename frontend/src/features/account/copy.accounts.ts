// Apart from the copy of the home screen, which has little room.
export const accountsCopy = {
  screen: '내 계좌',
  deposit: '현금',
  shares: '총자산 비중',
  available: '주문 가능',
  held: '주문에 묶어둔 돈',
  invested: '투자 금액',
  value: '평가 금액',
  saved: '모은 돈',
  accrued: '쌓인 이자',
  explain: (name: string) => `${name} 수익률 기준 보기`,
  baseTitle: '기본 자산이란',
  formula: '처음 받은 돈 + 포인트로 넣은 돈 + 구매한 돈 − 아이템 산 돈',
  parts: { given: '처음 받은 돈', points: '포인트로 넣은 돈', bought: '구매한 돈', items: '아이템 산 돈', moved: '다른 계좌와 옮긴 돈' },
  base: '기본 자산',
  rateNote: '수익률은 지금 총자산이 기본 자산보다 얼마나 늘었는지 보여줘요.',
} as const;
