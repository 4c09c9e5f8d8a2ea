// Copy about the member's accounts that several screens share.
export const accountPicker = {
  opens: '처음 옮기면 새로 열어드려요',
} as const;

export const competitionLock = {
  screen: '대회 모드',
  title: '대회 모드에서는 쓸 수 없어요',
  body: '대회 모드를 끄면 다시 쓸 수 있어요.',
  turnOff: '마이에서 끄기',
} as const;

export const growthChart = {
  paid: '넣은 돈',
  interest: '이자',
  summary: (label: string, paid: string, interest: string) => `${label}까지 넣은 돈 ${paid}, 이자 ${interest}`,
} as const;
