// Copy of the sentence about closed markets, which loads when one is closed.
export const closedMarket = {
  names: { KRX: '국내', US: '미국', COIN: '코인', GOLD: '금' },
  at: (name: string, time: string) => `${name} ${time}`,
  all: (times: string) => `장이 닫혀 있어요 · 거래일 ${times}에 열어요`,
  one: (name: string, time: string) => `${name} 장이 닫혀 있어요 · 거래일 ${time}에 열어요`,
} as const;
