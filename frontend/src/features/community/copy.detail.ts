export const detailCopy = {
  comments: (count: string) => `댓글 ${count}`,
  deleted: '삭제된 글이에요',
  missing: '글을 찾지 못했어요',
  missingBody: '글이 지워졌거나 볼 수 없는 글이에요.',
  moreAnswers: (count: number) => `답글 ${count}개 더 보기`,
  moreComments: '댓글 더 보기',
  tagged: (nickname: string) => `@${nickname}`,
  removedRow: '방금 지운 댓글',
  restore: '되돌리기',
  removeFailed: '댓글을 지우지 못했어요. 다시 시도해주세요.',
  removedContent: '삭제된 댓글입니다',
  blockedContent: '차단한 사용자의 댓글이에요',
} as const;
