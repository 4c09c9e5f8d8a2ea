import type { Item, Order, OrderPreview, OrderTerms } from '@/shared/api/types';
import { unsignedMoney } from '@/shared/format/change';
import { averagePrice } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import type { Fact } from '@/shared/ui/Facts';
import { confirmCopy, orderCopy } from '@/features/order/copy';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import { isEstimate } from '@/features/order/rules/sums';
import styles from './ConfirmSheet.module.css';
import { exchangeNote } from './exchangeNote';
import { SaleProfit } from './SaleProfit';

interface Confirmed {
  /** The waiting order being modified. */
  changed: Order | null;
  item: Item;
  entry: OrderEntry;
  /** The server's sums; undefined until it has answered. */
  preview: OrderPreview | undefined;
  terms: OrderTerms;
}

/** The order in words and figures; `약` marks what may change before it fills. */
export function confirmFacts({ changed, item, entry, preview, terms }: Confirmed): Fact[] {
  const isMarket = entry.kind === 'market';
  const exactly = (text: string) => (preview && isEstimate(preview, entry.kind) ? orderCopy.about(text) : text);
  const each = isMarket ? (preview?.price ?? null) : entry.limitPrice;
  const priceText = (value: number | null) => price(value, item.currency);
  const priceBefore = changed && !isMissing(changed.juPrc) && changed.juPrc !== entry.limitPrice ? priceText(changed.juPrc) : null;
  const qtyBefore = changed && changed.remainQty !== entry.qty ? quantity(changed.remainQty) + item.unit : null;
  const exchange = preview && exchangeNote(preview);
  const facts: (Fact | null)[] = [
    [confirmCopy.method, orderCopy[entry.kind]],
    isMarket ? null : [confirmCopy.until, confirmCopy.untils[lifetimeOf(item, terms)]],
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

function lifetimeOf(item: Item, { session }: OrderTerms): keyof typeof confirmCopy.untils {
  if (item.marketCode === 'COIN') return 'quarter';
  return session === 'CLOSED' ? 'nextDay' : 'day';
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
