export const systemCopy = {
  maintenance: '지금은 점검 중이에요',
  opensAt: (time: string) => `${time}에 다시 열어요`,
  newVersion: '새 버전이 나왔어요',
  newVersionBody: '업데이트하면 더 안정적으로 쓸 수 있어요',
  update: '업데이트',
} as const;
