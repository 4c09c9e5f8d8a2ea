export const password = {
  show: '비밀번호 보기',
  hide: '비밀번호 가리기',
} as const;
