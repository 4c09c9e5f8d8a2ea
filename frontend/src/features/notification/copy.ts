import { given } from '@/shared/copy/copy.given';

export const fillCopy = {
  title: (name: string, side: 'buy' | 'sell', quantityText: string) => `${name} ${quantityText} ${given.sides[side]}`,
  body: (won: string) => `${won}에 체결됐어요`,
  partly: (won: string, rest: string) => `${won}에 일부 체결됐어요. ${rest} 남았어요.`,
  why: '왜 이 가격?',
  late: '체결 알림이 늦어지고 있어요. 주문 상태는 5초마다 새로 확인해요.',
} as const;
