export const teaserCopy = {
  item: '이 종목 이야기',
  itemEmpty: '아직 이 종목 글이 없어요',
  itemEmptyAction: '첫 글 쓰기',
} as const;
