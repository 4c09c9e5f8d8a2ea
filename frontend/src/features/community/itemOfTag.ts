import { itemHref } from '@/shared/paths';
import { type Destination, destinationOf } from '@/shared/realtime/tick';

/** The market of an instrument by the form of its code: a tag has nothing else. */
function marketOf(code: string): string {
  if (code.startsWith('KRW-')) return 'COIN';
  if (/^\d{8}$/.test(code) || /^XA[UG]/.test(code)) return 'GOLD';
  return /^[A-Z.]+$/.test(code) ? 'stocks' : 'KOSPI';
}

/** Stocks and ETFs share a screen, so the kind of a share does not matter. */
export function tagHref(code: string): string {
  return itemHref({ isuSrtCd: code, marketCode: marketOf(code) });
}

export function tagDestination(code: string): Destination {
  return destinationOf(marketOf(code));
}
