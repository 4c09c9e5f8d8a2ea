import { expect, it } from 'vitest';
import { depositDetail } from '@/testing/productSamples';
import { joinHref, joinTermsOf } from './joinTerms';

const searchOf = (href: string) => new URL(href, 'http://localhost').searchParams;
const question = { amount: 10_000_000, saveTrm: 12, intrRateType: '02', rsrvType: null, best: true } as const;

it('are kept in the address', () => {
  const href = joinHref(7, question);
  expect(href).toBe('/my/contracts/join/7?amount=10000000&term=12&type=02&rate=best');
  expect(joinTermsOf(depositDetail, searchOf(href))).toEqual({
    option: depositDetail.options[2],
    terms: { amount: 10_000_000, saveTrm: 12, intrRateType: '02', rsrvType: null, best: true },
  });
  expect(joinTermsOf(depositDetail, searchOf(joinHref(7, { ...question, best: false })))?.terms.best).toBe(false);
});

it.each([
  ['a term that is not offered', { ...question, saveTrm: 24 }],
  ['an amount above the limit', { ...question, amount: 50_000_001 }],
  ['an amount below the limit', { ...question, amount: 999_999 }],
  ['half a won', { ...question, amount: 1_000_000.5 }],
  ['a way of saving that a deposit does not have', { ...question, rsrvType: 'F' as const }],
])('%s is no agreement', (_name, wrong) => expect(joinTermsOf(depositDetail, searchOf(joinHref(7, wrong)))).toBeNull());
