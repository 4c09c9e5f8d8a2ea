import { type Currency, money } from './money';
import { isMissing } from './number';
import { pct, shownPct } from './pct';
import { tone, TONE_WORD } from './tone';

/** What a screen reader says for a price: `71,300원, 1.5% 상승`. */
export function spokenPrice(price: number | null | undefined, changePercent: number | null | undefined, currency: Currency): string {
  if (isMissing(price)) return '가격 없음';
  const side = tone(shownPct(changePercent));
  const size = isMissing(changePercent) || side === 'flat' ? '' : `${pct(Math.abs(changePercent))} `;
  return `${money(price, currency)}, ${size}${TONE_WORD[side]}`;
}

/** The size of a change whose side an arrow tells: `1,100원` for a loss too. */
export function unsignedMoney(value: number | null | undefined, currency: Currency): string {
  return isMissing(value) ? '-' : money(Math.abs(value), currency);
}
