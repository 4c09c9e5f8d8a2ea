import { expect, it } from 'vitest';
import { concentrationCard, contractCard, tradeCard } from '@/testing/learnSamples';
import { cardSentence, cardTitle } from './copy';

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

it.each([
  [contractCard, '새싹 정기예금 해지', '세금을 떼기 전으로, 만기까지 뒀다면 이자 12,300원, 받은 이자는 1,200원이에요'],
  [{ ...contractCard, interest: 0 }, '새싹 정기예금 해지', '세금을 떼기 전으로, 만기까지 뒀다면 이자 12,300원, 받은 이자는 0원이에요'],
  [concentrationCard, '삼성전자 구매', '삼성전자가 내 자산의 52.3%예요'],
  [{ ...concentrationCard, isuKorNm: '비트코인', percent: 41 }, '비트코인 구매', '비트코인이 내 자산의 41%예요'],
  [{ ...concentrationCard, isuKorNm: 'KODEX 200' }, 'KODEX 200 구매', 'KODEX 200, 내 자산의 52.3%예요'],
  [{ ...tradeCard, kind: 'FEE', won: 107, isSale: true }, '삼성전자 판매', '내 주문의 수수료는 107원이었어요'],
] as const)('tells of %o what it is about', (card, title, sentence) => {
  expect(cardTitle(card)).toBe(title);
  expect(cardSentence(card)).toBe(sentence);
});
