import { josa } from '@/shared/format/josa';
import { pct } from '@/shared/format/pct';
import { price } from '@/shared/format/price';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import type { TradeCard } from '@/features/learn/learnTypes';

export const cardCopy = {
  title: '내 거래로 배우기',
  what: '이게 뭐예요?',
  fold: '접기',
  ask: '문제 풀어보기',
  read: '글 읽기',
  bought: (name: string) => `${name} 구매`,
  sold: (name: string) => `${name} 판매`,
  closed: (name: string) => `${name} 해지`,
} as const;

const UNITS = { STOCK: ['주', '가'], COIN: ['개', '가'], GOLD: ['g', '이'] } as const;

/** The trade that the card is about. */
export function cardTitle(card: TradeCard): string {
  switch (card.kind) {
    case 'EARLY_CLOSE':
      return cardCopy.closed(card.name);
    case 'CONCENTRATION':
      return cardCopy.bought(card.isuKorNm);
    default:
      return card.isSale ? cardCopy.sold(card.isuKorNm) : cardCopy.bought(card.isuKorNm);
  }
}

/** What the trade shows, in its own numbers. */
export function cardSentence(card: TradeCard): string {
  switch (card.kind) {
    case 'SLIPPAGE':
      return `내 주문에서 ${card.fillCount > 1 ? '최대 ' : ''}${card.slippageTicks}틱, ${won(card.won)}이 슬리피지였어요`;
    case 'EXCHANGE':
      return `내 주문에서 환전에 ${won(card.won)}이 들었어요`;
    case 'WAITED':
      return `정한 가격 ${price(card.limitPrc, card.currency)}에 닿기를 기다려서 ${card.isSale ? '팔았어요' : '샀어요'}`;
    case 'PARTIAL': {
      const [unit, particle] = UNITS[card.orderCategory];
      return `내 주문 ${quantity(card.filledQty)}${unit}${particle} ${card.fillCount}번에 나눠 체결됐어요`;
    }
    case 'TAX':
      return `팔면서 세금 ${won(card.won)}을 냈어요`;
    case 'FEE':
      return `내 주문의 수수료는 ${won(card.won)}이었어요`;
    case 'EARLY_CLOSE':
      return `세금을 떼기 전으로, 만기까지 뒀다면 이자 ${won(card.interestAtMaturity)}, 받은 이자는 ${won(card.interest)}이에요`;
    case 'CONCENTRATION':
      return `${subject(card.isuKorNm)} 내 자산의 ${pct(card.percent)}예요`;
  }
}

/** A name whose reading is not known has no particle. */
function subject(name: string): string {
  const named = josa(name, '이/가');
  return named === name ? `${name},` : named;
}
