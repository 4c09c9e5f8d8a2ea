import { given } from '@/shared/copy/copy.given';
import type { OrderSide } from '@/features/order/rules/orderSides';

export const accountCopy = {
  account: '계좌',
  row: (name: string, content: string) => `${name} · ${content}`,
  orderable: (won: string) => `주문 가능 ${won}`,
  owned: (qty: string) => `보유 ${qty}`,
  change: '바꾸기',
  choices: '계좌 선택',
  question: (side: OrderSide) => `어느 계좌에서 ${given.sides[side]}할까요?`,
} as const;
