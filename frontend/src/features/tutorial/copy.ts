export const tutorialCopy = {
  title: '시드업 둘러보기',
  position: (place: number, count: number) => `${count}장 중 ${place}번째`,
  cards: [
    {
      title: '가상 머니로 연습해요',
      body: '주식, 코인, 금을 마음껏 사고팔아보세요. 잃어도 진짜 돈은 그대로예요.',
    },
    {
      title: '왜 이 가격인지 알려드려요',
      body: '주문이 체결되면 바로 알려드리고, 그 가격이 된 이유까지 보여드려요.',
    },
    {
      title: '자산이 늘면 레벨이 올라요',
      body: '빈털터리에서 시작해 슈퍼리치까지 한 걸음씩 올라가보세요.',
    },
  ],
  skip: '건너뛰기',
  start: '시작하기',
  fill: '체결됐어요',
  why: '왜 이 가격?',
} as const;

export const welcomeCopy = {
  title: '가상 머니를 넣어드렸어요',
  body: '이 돈으로 투자를 연습해보세요',
  close: '좋아요',
} as const;
