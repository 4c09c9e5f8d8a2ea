// Copy of the sheet that explains practice prices. It is apart from `copy.shared.ts` because the sheet loads on demand.
export const practice = {
  title: '연습 시세예요',
  prices: {
    title: '가격은 시드업이 계산해요',
    body: '종목 이름은 실제와 같지만, 가격은 연습용 시장이 계산해요. 실제 시장 가격과 달라요.',
  },
  recorded: {
    title: '과거 가격을 다시 재생해요',
    body: '실제로 기록된 가격을 연습 시간에 맞춰 다시 보여드려요. 지금 시장 가격이 아니에요.',
  },
  allDay: {
    title: '시장은 하루 종일 열려 있어요',
    body: '밤이나 주말에도 연습할 수 있게 모든 시장이 24시간 움직여요. 하루는 한국 시간 0시에 시작해요.',
  },
  exchangeHours: {
    title: '거래 시간은 실제와 같아요',
    body: '실제 거래소가 열리는 시간에만 가격이 움직여요. 코인은 하루 종일 움직여요.',
  },
  money: {
    title: '실제 주문은 나가지 않아요',
    body: '가상 머니로만 사고팔아요. 실제 돈은 들지도 나가지도 않아요.',
  },
} as const;
