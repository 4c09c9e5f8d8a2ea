export const holdingsCopy = {
  screen: '보유 종목',
  value: '평가 금액',
  empty: '아직 보유한 종목이 없어요',
  browse: '종목 둘러보기',
  sort: '정렬',
  sorts: { value: '평가금액순', profit: '손익순', rate: '수익률순', name: '이름순' },
  saved: '예적금',
  deposit: '예금',
  savings: '적금',
  shares: '종류별 비중',
  row: (qty: string, average: string) => `${qty} · 평균 ${average}`,
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

export const topHoldingsCopy = {
  title: '보유 종목',
} as const;
