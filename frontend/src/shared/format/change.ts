import { type Currency, money } from './money';
import { isMissing } from './number';
import { unsignedPct } from './pct';
import { price as priceText } from './price';
import { tone, TONE_WORD } from './tone';

/** A price for screen readers: `71,300원, 1.5% 상승`. `sizeOf` formats the change as on the screen. */
export function spokenPrice(
  price: number | null | undefined,
  changePercent: number | null | undefined,
  currency: Currency,
  sizeOf: (percent: number) => string = unsignedPct,
): string {
  if (isMissing(price)) return '가격 없음';
  const size = isMissing(changePercent) ? sizeOf(0) : sizeOf(changePercent);
  const isFlat = size === sizeOf(0);
  return `${priceText(price, currency)}, ${isFlat ? '' : `${size} `}${TONE_WORD[isFlat ? 'flat' : tone(changePercent)]}`;
}

/** The unsigned size of a change whose direction an arrow shows: `1,100원` for a loss too. */
export function unsignedMoney(value: number | null | undefined, currency: Currency): string {
  return isMissing(value) ? '-' : money(Math.abs(value), currency);
}
