export const search = {
  title: '종목 검색',
  tabs: '검색할 상품',
  stock: '주식',
  etf: 'ETF',
  coin: '코인',
  gold: '원자재',
  hint: '이름, 종목 코드, 초성으로 찾을 수 있어요',
  count: (count: number) => `${count}개 종목`,
} as const;
