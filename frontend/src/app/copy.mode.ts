export const modeCopy = {
  name: '대회 모드',
  on: '주식과 ETF만 거래하고, 대회 계좌를 써요',
  events: '투자 대회',
  question: '대회 모드로 바꿀까요?',
  confirm: '바꾸기',
  questionOff: '대회 모드를 끌까요?',
  off: '내 계좌로 돌아가요. 대회 계좌는 그대로 남아요',
  confirmOff: '끄기',
  failed: '모드를 바꾸지 못했어요. 다시 시도해주세요.',
} as const;
