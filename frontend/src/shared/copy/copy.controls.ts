// Copy of controls that only some screens have, apart from what every screen loads.
export const field = {
  keypad: '수량 입력',
  backspace: '한 글자 지우기',
  point: '소수점',
  max: '최대',
  ratios: '수량 비율',
  ratio: (percent: number) => `${percent}%`,
} as const;

export const share = {
  label: (name: string) => `${name} 공유하기`,
  copied: '주소를 복사했어요',
  failed: '공유하지 못했어요. 주소창의 주소를 복사해주세요.',
} as const;
