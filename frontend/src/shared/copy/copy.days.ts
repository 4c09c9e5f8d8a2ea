export const dayRange = {
  from: '시작일',
  to: '종료일',
  backwards: '시작일을 종료일보다 앞으로 골라주세요',
} as const;

export function dayName(year: number, month: number, day: number): string {
  return `${year}년 ${month}월 ${day}일`;
}
