export const signInPrompt = {
  title: '로그인하면 쓸 수 있어요',
  body: '가상 머니로 마음 편히 연습해보세요',
  action: '로그인하기',
} as const;
