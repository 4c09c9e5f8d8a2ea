import type { ProductDetail, ProductOption } from '@/shared/api/types';
import { moneyPaths } from '@/shared/moneyPaths';
import { amountProblem, amountRange } from '@/features/product/amountRange';
import type { InterestRequest } from '@/features/product/productQueries';
import { type Choice, optionsOf } from '@/features/product/terms';

/** What was chosen in the calculator. */
export interface JoinTerms extends Choice {
  /** Principal, or the sum of every month. */
  amount: number;
  /** The best rate was chosen, which needs the bank's conditions. */
  best: boolean;
}

/** The address of the join screen with the terms of the calculator. */
export function joinHref(productSid: number, { amount, saveTrm, intrRateType, rsrvType, best }: InterestRequest): string {
  const search = new URLSearchParams({
    amount: String(amount),
    term: String(saveTrm),
    type: intrRateType,
    ...(rsrvType === null ? {} : { reserve: rsrvType }),
    ...(best ? { rate: 'best' } : {}),
  });
  return `${moneyPaths.joinProduct.replace(':sid', String(productSid))}?${search.toString()}`;
}

/** The terms in an address; null when the product does not offer them. */
export function joinTermsOf(detail: ProductDetail, search: URLSearchParams): { terms: JoinTerms; option: ProductOption } | null {
  const amount = Number(search.get('amount') ?? '');
  const option = optionsOf(detail).find(
    ({ saveTrm, intrRateType, rsrvType }) =>
      String(saveTrm) === search.get('term') && intrRateType === search.get('type') && (rsrvType ?? null) === search.get('reserve'),
  );
  if (option === undefined || !Number.isSafeInteger(amount) || amountProblem(amount, amountRange(detail.product)) !== null) return null;
  const { saveTrm, intrRateType, rsrvType } = option;
  return { option, terms: { amount, saveTrm, intrRateType, rsrvType: rsrvType ?? null, best: search.get('rate') === 'best' } };
}
