export const figureCopy = {
  candle: (label: string, open: string, high: string, low: string, close: string) => `${label}: 시가 ${open}, 고가 ${high}, 저가 ${low}, 종가 ${close}.`,
  price: '가격',
  asks: '팔려는 수량',
  bids: '사려는 수량',
  won: (price: string) => `${price}원`,
  shares: (quantity: string) => `${quantity}주`,
  mine: '내 주문',
  tenThousands: (count: string) => `${count}만`,
  hundredMillions: (count: string) => `${count}억`,
} as const;
