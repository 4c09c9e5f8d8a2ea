export const levelCopy = {
  toNext: (name: string, percent: number) => `${name}, 다음 레벨까지 ${percent}%`,
  top: (name: string) => `${name}, 가장 높은 레벨이에요`,
} as const;
