export const holdingsCopy = {
  screen: '보유 종목',
  value: '평가 금액',
  profit: '평가 손익',
  rate: '수익률',
  empty: '아직 보유한 종목이 없어요',
  browse: '종목 둘러보기',
  sort: '정렬',
  sorts: { value: '평가금액순', profit: '손익순', rate: '수익률순', name: '이름순' },
  kind: { stock: '주식', coin: '코인', gold: '금' },
  saved: '예적금',
  deposit: '예금',
  savings: '적금',
  shares: '종류별 비중',
  row: (qty: string, average: string) => `${qty} · 평균 ${average}`,
  count: (count: number) => `${count}개`,
  unit: { stock: '주', coin: '개', gold: 'g' },
  partlyMissing: '일부를 불러오지 못했어요',
} as const;

export const assetsCopy = {
  total: '내 총자산',
  today: '오늘',
  fromBase: '기본 자산보다',
  /** As on the card of an account: all of it, reserved money included. */
  cash: '현금',
  toNext: (won: string) => `다음 레벨까지 ${won}`,
  top: '가장 높은 레벨이에요',
  multiplier: (times: string) => `포인트를 옮길 때 ${times}배로 바꿔드려요`,
  hide: '금액 숨기기',
  show: '금액 보기',
} as const;

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

export const topHoldingsCopy = {
  title: '보유 종목',
} as const;
