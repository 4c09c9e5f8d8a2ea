export const themeCopy = {
  screen: '테마 고르기',
  progress: (done: number, total: number) => `${done}/${total}`,
  spoken: (done: number, total: number) => `${total}문제 중 ${done}문제 풀었어요`,
  mastery: (percent: number) => `숙련도 ${percent}%`,
  none: '고를 수 있는 테마가 없어요',
  filter: '오늘의 퀴즈 설정',
  filterLead: '오늘의 퀴즈에 나올 난이도와 테마예요. 고르지 않으면 모두 나와요.',
  levels: '난이도',
  themes: '관심 테마',
  save: '저장하기',
  saved: '내일부터 이대로 나와요',
  saveFailed: '저장하지 못했어요. 다시 시도해주세요.',
} as const;
