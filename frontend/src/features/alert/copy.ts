import type { PriceAlert } from '@/shared/api/types';

export type AlertKind = PriceAlert['kind'];
/** A percentage is typed without a sign; its direction is a choice. */
export type Direction = 'up' | 'down';

export const alertCopy = {
  screen: '가격 알림',
  bell: (name: string) => `${name} 가격 알림 받기`,
  now: '지금 가격',
  kind: '알림 조건',
  kinds: { ABOVE: '이 가격 이상', BELOW: '이 가격 이하', PERCENT: '등락률' } satisfies Record<AlertKind, string>,
  direction: '방향',
  directions: { up: '오르면', down: '내리면' } satisfies Record<Direction, string>,
  askPrice: '얼마가 되면 알려드릴까요?',
  askPercent: '전일보다 몇 % 움직이면 알려드릴까요?',
  pricePlaceholder: '가격을 입력해주세요',
  percentPlaceholder: '등락률을 입력해주세요',
  won: '원',
  keypad: '숫자 입력',
  confirm: '알림 받기',
  noValue: '값을 먼저 입력해주세요',
  once: '조건이 되면 한 번 알려드려요. 90일 동안 기다려요',
  created: '알림을 받을게요',
  createFailed: '알림을 만들지 못했어요. 다시 시도해주세요.',
  mine: '받고 있는 알림',
  active: '받고 있는 알림',
  activeNote: '90일 동안 기다려요',
  fired: '지난 알림',
  firedNote: '90일 동안 볼 수 있어요',
  above: (price: string) => `${price} 이상`,
  below: (price: string) => `${price} 이하`,
  rise: (percent: string) => `${percent} 이상 오르면`,
  fall: (percent: string) => `${percent} 이상 내리면`,
  firedAt: (time: string, price: string) => `${time}에 ${price}`,
  remove: (name: string, condition: string) => `${name} ${condition} 알림 삭제`,
  removed: '알림을 삭제했어요',
  removeFailed: '알림을 삭제하지 못했어요. 다시 시도해주세요.',
  empty: '받고 있는 가격 알림이 없어요',
  howTo: '종목 화면의 종 모양을 누르면 원하는 가격을 알려드려요',
  browse: '종목 둘러보기',
} as const;
