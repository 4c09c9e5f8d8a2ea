// Copy given by the product that the first screens do not show: apart from `copy.given.ts`, all of which is in the first load.
export const givenLater = {
  noComments: '댓글이 없습니다.',
  writeComment: '+ 댓글 작성',
  reply: '댓글 달기',
  edit: '수정하기',
  remove: '삭제하기',
  commentMenu: '삭제/수정',
  removeTitle: '내 의견을 삭제할까요?',
  removeBody: '삭제 시 취소가 어려워요',
  close: '닫기',
  postRemoved: '게시물이 삭제되었습니다.',
  postRemoveFailed: '게시글 삭제에 실패했습니다. 다시 시도해주세요.',
  commentRemoved: '댓글 삭제에 성공했습니다.',
  pointTransferFailed: (detail: string) => `학습포인트 이전에 실패했습니다: ${detail}`,
  edited: '(수정됨)',
  operator: '운영자',
  levels: ['빈털터리', '빈곤층', '빠듯한중산층', '중산층', '상류층', '자산가', '1천억재벌', '억만장자', '슈퍼리치'],
} as const;
