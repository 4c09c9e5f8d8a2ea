export const riskCopy = {
  title: (warning: string) => `투자 ${warning} 종목이에요`,
  about: (name: string) => `${name}, 한 번 더 살펴봐주세요`,
  reasons: [
    '가격이 짧은 시간에 크게 움직일 수 있어요',
    '거래가 갑자기 멈추면 원할 때 팔지 못할 수 있어요',
    '산 돈의 대부분을 잃을 수 있어요',
  ],
  accept: '알고 주문할게요',
  next: '다음 화면에서 가격과 금액을 한 번 더 보여드려요',
} as const;
