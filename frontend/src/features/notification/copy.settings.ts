import type { NotificationType } from './notificationTypes';

export const settingsCopy = {
  screen: '알림',
  inbox: '알림함',
  push: '푸시',
  groups: { invest: '투자', community: '커뮤니티', learn: '공부', competition: '대회', notice: '소식' },
  type: {
    FILL: '주문 체결',
    PARTIAL: '주문 일부 체결',
    ORDER_ENDED: '체결되지 않고 끝난 주문',
    PRICE: '정해둔 가격 도달',
    MATURITY: '예적금 만기',
    AUTOPAY_MISSED: '자동이체 실패',
    COMMENT: '내 글의 댓글',
    REPLY: '내 댓글의 답글',
    LIKE: '좋아요',
    REPORT: '신고 결과',
    STREAK: '연속 학습이 끊기기 전',
    COMPETITION: '대회 시작과 끝, 순위',
    NOTICE: '공지',
  } satisfies Record<NotificationType, string>,
  when: '받는 시간',
  quiet: '방해 금지 시간',
  quietNote: '이 시간에는 푸시를 보내지 않아요. 체결과 만기처럼 급한 알림은 바로 보내요.',
  from: '시작',
  until: '끝',
  /** `morning` is before noon; 0 and 12 o'clock are the twelfth hour of their half. */
  hour: (isMorning: boolean, hour: number, minute: number) => `${isMorning ? '오전' : '오후'} ${hour}시${minute > 0 ? ` ${minute}분` : ''}`,
  digest: '아침에 모아서 받기',
  digestNote: '급하지 않은 푸시를 아침에 한 번에 보내드려요.',
  failed: '바꾸지 못했어요. 다시 시도해주세요.',
} as const;
