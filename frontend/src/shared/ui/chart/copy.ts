export const chartScreen = {
  open: '차트 크게 보기',
  title: (name: string) => `${name} 차트`,
  averages: '이동평균선',
  average: (days: number) => `${days}`,
  averageLabel: (count: number) => `이동평균 ${count}`,
  volume: '거래량',
} as const;
