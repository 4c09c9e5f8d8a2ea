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

/** A signed amount of change: `+1,100원`, `-$0.50`, `0원`. */
export function signedMoney(value: number | null | undefined, currency: Currency): string {
  if (isMissing(value)) return '-';
  return value > 0 ? `+${money(value, currency)}` : money(value, currency);
}
