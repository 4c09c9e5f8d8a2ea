export const homeCopy = {
  screen: '홈',
  quick: '바로 가기',
  waiting: '대기 주문',
  count: (count: number) => `${count}건`,
  history: '주문 내역',
  holdings: '보유 종목',
  likes: '관심',
  browse: '종목 둘러보기',
  popular: '인기 종목',
  popularKinds: '인기 종목 종류',
  kinds: { stock: '주식', etf: 'ETF', coin: '코인', gold: '금' },
  noPopular: '보여드릴 종목이 없어요',
} as const;

export const hubCopy = {
  screen: '투자',
} as const;
