import type { OrderTerms } from '@/shared/api/types';
import type { OrderEntry } from './orderCheck';

/** What the hold of a buy includes beyond its price: room for a rising market price, exchange rate, or both. */
export type HoldMargin = 'market' | 'rate' | 'marketAndRate' | 'upperLimit';

/**
 * By the rule the server holds by: five percent at the market, or the upper limit of the day while it is
 * closed, and three percent of the rate for dollars. An order by amount holds no more than the amount. Null when there is none.
 */
export function holdMarginOf({ side, kind, amount }: OrderEntry, { currency, session, limits }: OrderTerms): HoldMargin | null {
  if (side === 'sell' || amount !== undefined) return null;
  if (kind === 'limit') return currency === 'USD' ? 'rate' : null;
  if (currency === 'USD') return 'marketAndRate';
  return session === 'CLOSED' && typeof limits.upper === 'number' ? 'upperLimit' : 'market';
}
