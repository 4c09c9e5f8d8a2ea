export const chartScreen = {
  open: '차트 크게 보기',
  title: (name: string) => `${name} 차트`,
  averages: '이동평균선',
  average: (days: number) => `${days}`,
  averageLabel: (count: number) => `이동평균 ${count}`,
} as const;

/** Marks of the time axis. */
export const axis = {
  year: (year: number) => `${year}년`,
  month: (month: number) => `${month}월`,
  day: (day: number) => `${day}일`,
} as const;
