import { expect, it } from 'vitest';
import { tradeCard } from '@/testing/learnSamples';
import { cardSentence } from './copy';

it.each([
  [{}, '내 주문에서 3틱, 1,200원이 슬리피지였어요'],
  [{ fillCount: 2 }, '내 주문에서 최대 3틱, 1,200원이 슬리피지였어요'],
  [{ kind: 'EXCHANGE', won: 679 }, '내 주문에서 환전에 679원이 들었어요'],
  [{ kind: 'WAITED', limitPrc: 70_000 }, '정한 가격 70,000원에 닿기를 기다려서 샀어요'],
  [{ kind: 'WAITED', limitPrc: 231, currency: 'USD', isSale: true }, '정한 가격 $231.00에 닿기를 기다려서 팔았어요'],
  [{ kind: 'PARTIAL', fillCount: 2, filledQty: 40 }, '내 주문 40주가 2번에 나눠 체결됐어요'],
  [{ kind: 'PARTIAL', fillCount: 3, filledQty: 0.5, orderCategory: 'COIN' }, '내 주문 0.5개가 3번에 나눠 체결됐어요'],
  [{ kind: 'PARTIAL', fillCount: 3, filledQty: 7, orderCategory: 'GOLD' }, '내 주문 7g이 3번에 나눠 체결됐어요'],
  [{ kind: 'TAX', won: 1_498 }, '팔면서 세금 1,498원을 냈어요'],
  [{ kind: 'FEE', won: 107 }, '내 주문의 수수료는 107원이었어요'],
] as const)('tells %o', (changes, sentence) => {
  expect(cardSentence({ ...tradeCard, ...changes })).toBe(sentence);
});
