import type { ProductDetail, ProductOption } from '@/shared/api/types';

/** 01 simple, 02 compounded monthly. */
export type InterestType = ProductOption['intrRateType'];

/** One option of a product. */
export interface Choice {
  saveTrm: number;
  intrRateType: InterestType;
  rsrvType: 'S' | 'F' | null;
}

/** The options of a product; without published options, its main terms. */
export function optionsOf({ product, options }: ProductDetail): readonly ProductOption[] {
  return options.length > 0 ? options : [product];
}

/** The product's main term, or the nearest option. */
export function firstChoice(detail: ProductDetail): Choice {
  const { saveTrm, intrRateType, rsrvType } = detail.product;
  return nearest(optionsOf(detail), { saveTrm, intrRateType, rsrvType: rsrvType ?? null });
}

/** The option nearest to the wanted one: by term first, then by interest type, then by payment type. */
export function nearest(options: readonly ProductOption[], wanted: Choice): Choice {
  const distance = (option: ProductOption) =>
    Math.abs(option.saveTrm - wanted.saveTrm) * 4 +
    (option.intrRateType === wanted.intrRateType ? 0 : 2) +
    ((option.rsrvType ?? null) === wanted.rsrvType ? 0 : 1);
  const best = options.reduce((nearer, option) => (distance(option) < distance(nearer) ? option : nearer));
  return { saveTrm: best.saveTrm, intrRateType: best.intrRateType, rsrvType: best.rsrvType ?? null };
}

/** Percent a year; when only one of the two rates is published, it is used for both. */
export function rateOf(options: readonly ProductOption[], choice: Choice, isBest: boolean): number {
  const option = options.find(
    ({ saveTrm, intrRateType, rsrvType }) =>
      saveTrm === choice.saveTrm && intrRateType === choice.intrRateType && (rsrvType ?? null) === choice.rsrvType,
  );
  const [first, second] = isBest ? [option?.intrRate2, option?.intrRate] : [option?.intrRate, option?.intrRate2];
  return first ?? second ?? 0;
}

/** The distinct values of a field, in order. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : Number(a > b)));
}
