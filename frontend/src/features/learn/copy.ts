export const learnCopy = {
  level: { EASY: '입문', NORMAL: '기본', HARD: '심화' },
  minutes: (count: number) => `${count}분`,
  points: (count: string) => `${count}P`,
  plusPoints: (count: string) => `+${count}P`,
  read: '읽었어요',
  streak: '연속 학습',
  login: '로그인하기',
  home: '학습으로 가기',
} as const;
