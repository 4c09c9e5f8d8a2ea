import type { RuntimeConfig } from '@/shared/api/runtimeConfig';
import type { Item, Order, OrderPreview, OrderTerms } from '@/shared/api/types';
import { unsignedMoney } from '@/shared/format/change';
import { kstDate, kstDayKey, kstTime, parseServerTime } from '@/shared/format/kst';
import { averagePrice } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import type { Fact } from '@/shared/ui/Facts';
import { confirmCopy, orderCopy, resultCopy } from '@/features/order/copy';
import { accountCopy } from '@/features/order/copy.account';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import { isEstimate } from '@/features/order/rules/sums';
import styles from './ConfirmSheet.module.css';
import { exchangeNote } from './exchangeNote';
import { SaleProfit } from './SaleProfit';

interface Confirmed {
  /** The waiting order being modified. */
  changed: Order | null;
  item: Item;
  /** Named where the order could come from another account. */
  accountName: string | null;
  entry: OrderEntry;
  /** The server's sums; undefined until it has answered. */
  preview: OrderPreview | undefined;
  terms: OrderTerms;
  clock: RuntimeConfig['clock'];
  now: Date;
}

/** The order in words and figures; `약` marks what may change before it fills. */
export function confirmFacts({ changed, item, accountName, entry, preview, terms, clock, now }: Confirmed): Fact[] {
  const isMarket = entry.kind === 'market';
  const exactly = (text: string) => (preview && isEstimate(preview, entry.kind) ? orderCopy.about(text) : text);
  const each = isMarket ? (preview?.price ?? null) : entry.limitPrice;
  const priceText = (value: number | null) => price(value, item.currency);
  const priceBefore = changed && !isMissing(changed.juPrc) && changed.juPrc !== entry.limitPrice ? priceText(changed.juPrc) : null;
  const qtyBefore = changed && changed.remainQty !== entry.qty ? quantity(changed.remainQty) + item.unit : null;
  const exchange = preview && exchangeNote(preview);
  const facts: (Fact | null)[] = [
    accountName === null ? null : [accountCopy.account, accountName],
    [confirmCopy.method, orderCopy[entry.kind]],
    isMarket ? null : [confirmCopy.until, lifetimeOf(item, terms, clock, now)],
    [
      confirmCopy.each(item.unit),
      // Stays in dollars: a unit price rounded to won, times the quantity, would differ from the amount below.
      <Changed before={priceBefore}>{isMarket ? exactly(priceText(each)) : priceText(each)}</Changed>,
    ],
    [orderCopy.qty, <Changed before={qtyBefore}>{quantity(entry.qty) + item.unit}</Changed>],
    exchange ? [confirmCopy.rate, <Changed detail={exchange.made}>{exchange.rate}</Changed>] : null,
    [confirmCopy.amount, exactly(won(preview?.amount))],
    [confirmCopy.fee, exactly(won(preview?.fee))],
    entry.side === 'sell' ? [confirmCopy.tax, preview?.tax === 0 ? confirmCopy.none : exactly(won(preview?.tax))] : null,
    entry.side === 'sell' && !isMissing(preview?.profit)
      ? [confirmCopy.profit, <SaleProfit won={preview.profit}>{exactly(unsignedMoney(preview.profit, 'KRW'))}</SaleProfit>]
      : null,
    entry.side === 'buy' && !isMissing(preview?.averageAfter)
      ? [confirmCopy.averageAfter, exactly(averagePrice(preview.averageAfter, item.currency))]
      : null,
  ];
  return facts.filter((fact) => fact !== null);
}

/** When a limit order ends: the time where it is certain, else the trading day, whose end the server knows. */
function lifetimeOf(item: Item, { session }: OrderTerms, clock: RuntimeConfig['clock'], now: Date): string {
  const end = endOf(item, clock, now);
  if (end !== null) return resultCopy.untilTime(kstDate(end), kstTime(end));
  if (item.marketCode === 'COIN') return confirmCopy.untils.quarter;
  return confirmCopy.untils[session === 'CLOSED' ? 'nextDay' : 'day'];
}

const COIN_ORDER_DAYS = 90;
const DAY_MS = 86_400_000;

// With the practice clock each Korean calendar day is a trading day. A replay has a time of its own.
function endOf({ marketCode }: Item, clock: RuntimeConfig['clock'], now: Date): Date | null {
  if (clock === 'replay') return null;
  if (marketCode === 'COIN') return new Date(now.getTime() + COIN_ORDER_DAYS * DAY_MS);
  return clock === 'practice' ? parseServerTime(kstDayKey(new Date(now.getTime() + DAY_MS))) : null;
}

/** A value with the value before the change, and with details below. */
function Changed({ children, before = null, detail = null }: { children: string; before?: string | null; detail?: string | null }) {
  return (
    <>
      {before !== null && (
        <span className={styles.before}>
          <span className="sr-only">{confirmCopy.was('')}</span>
          {before}
        </span>
      )}
      {children}
      {detail !== null && <span className={styles.detail}>{detail}</span>}
    </>
  );
}
