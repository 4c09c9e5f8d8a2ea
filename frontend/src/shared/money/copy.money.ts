// Copy shared by the screens that move money: amounts, confirmations and their outcomes.
export const moneyCopy = {
  won: '원',
  keypad: '금액 입력',
  amountPlaceholder: '금액을 입력해주세요',
  noAmount: '금액을 입력해주세요',
  all: '최대',
  add: (amount: string) => `+${amount}`,
  adds: '빠른 금액',
  failedFallback: '처리하지 못했어요. 잠시 후 다시 시도해주세요.',
  unknownTitle: '처리됐는지 확인하지 못했어요',
  unknownBody: '다시 시도해도 두 번 처리되지 않아요.',
  checkAgain: '다시 시도',
} as const;
