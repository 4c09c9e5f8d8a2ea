import { itemHref } from '@/shared/paths';
import { type Destination, destinationOf } from '@/shared/realtime/tick';
import type { PostCategory } from './types';

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

/** The category in which one writes about an instrument. Of gold there is none. */
export function categoryOfTag(code: string): PostCategory {
  const market = marketOf(code);
  if (market === 'GOLD') return 'FREE';
  return market === 'COIN' ? 'COIN' : 'STOCK';
}
