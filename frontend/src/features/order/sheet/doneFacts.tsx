import type { Fill, Order, OrderTerms } from '@/shared/api/types';
import { unsignedMoney } from '@/shared/format/change';
import { kstDate, kstTime, parseServerTime } from '@/shared/format/kst';
import { averagePrice } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import type { Fact } from '@/shared/ui/Facts';
import { confirmCopy, resultCopy } from '@/features/order/copy';
import { accountCopy } from '@/features/order/copy.account';
import { SaleProfit } from './SaleProfit';

interface Done {
  order: Order;
  fills: readonly Fill[];
  unit: string;
  accountName: string | null;
  /** The current buying power; undefined until it is loaded. */
  terms: OrderTerms | undefined;
}

/** The outcome of an order: filled, waiting and remaining quantities with their sums. */
export function doneFacts({ order, fills, unit, accountName, terms }: Done): { facts: Fact[]; sum?: Fact; left: Fact[] } {
  const left = restFacts(order, unit, accountName, terms);
  if (order.filledQty === 0) return { facts: waitingFacts(order, unit), left };
  return { facts: filledFacts(order, fills, unit), sum: totalOf(order), left };
}

/** The amount debited for a buy, or credited for a sale. */
export function totalOf({ side, filledAmount, fee, tax }: Order): Fact {
  return side === 'BUY' ? [resultCopy.paid, won(filledAmount + fee)] : [resultCopy.received, won(filledAmount - fee - tax)];
}

/** The realized profit of a sale, from the server's fills; null for a buy. */
export function profitFact(fills: readonly Fill[]): Fact | null {
  const profits = fills.map(({ profit }) => profit).filter((profit) => !isMissing(profit));
  if (profits.length === 0 || profits.length < fills.length) return null;
  const profit = profits.reduce((sum, each) => sum + each, 0);
  return [profit < 0 ? resultCopy.lost : resultCopy.earned, <SaleProfit won={profit}>{unsignedMoney(profit, 'KRW')}</SaleProfit>];
}

/** The average price over all fills. */
export function filledPrice({ avgPrc, currency }: Order): string {
  return averagePrice(avgPrc, currency);
}

function filledFacts(order: Order, fills: readonly Fill[], unit: string): Fact[] {
  const prices = new Set(fills.map(({ fillPrc }) => fillPrc));
  const facts: (Fact | null)[] = [
    [resultCopy.filledQty, quantity(order.filledQty) + unit],
    [prices.size > 1 ? resultCopy.averagePrice : resultCopy.filledPrice, filledPrice(order)],
    [resultCopy.filledAmount, won(order.filledAmount)],
    [confirmCopy.fee, won(order.fee)],
    order.side === 'SELL' ? [confirmCopy.tax, order.tax > 0 ? won(order.tax) : confirmCopy.none] : null,
    profitFact(fills),
  ];
  return facts.filter((fact) => fact !== null);
}

function waitingFacts(order: Order, unit: string): Fact[] {
  if (isMissing(order.juPrc) || order.remainQty === 0) return [];
  return [
    [resultCopy.waitingQty, quantity(order.remainQty) + unit],
    [resultCopy.limitPrice, price(order.juPrc, order.currency)],
  ];
}

function restFacts(order: Order, unit: string, accountName: string | null, terms: OrderTerms | undefined): Fact[] {
  const end = order.remainQty > 0 && !isMissing(order.juPrc) ? parseServerTime(order.expireTime) : null;
  const facts: (Fact | null)[] = [
    isMissing(order.orderAmount) ? null : [resultCopy.amountLimit, won(order.orderAmount)],
    order.filledQty > 0 && order.status === 'PARTIAL' ? [resultCopy.waitingQty, quantity(order.remainQty) + unit] : null,
    order.side === 'BUY' && order.heldAmount > 0 ? [resultCopy.held, won(order.heldAmount)] : null,
    end ? [resultCopy.until, resultCopy.untilTime(kstDate(end), kstTime(end))] : null,
    accountName === null ? null : [accountCopy.account, accountName],
    terms && order.side === 'SELL' ? [resultCopy.sharesLeft, quantity(terms.sellableQty) + unit] : null,
    terms ? [resultCopy.cashLeft, won(terms.availableCash)] : null,
  ];
  return facts.filter((fact) => fact !== null);
}
