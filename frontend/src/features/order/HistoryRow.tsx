import type { Order } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { historyCopy, unitOf, waitingCopy } from './copy';
import { sideName, sideOfRow } from './orderSides';
import styles from './OrderHistory.module.css';
import { receiptCopy } from './copy.receipt';

interface HistoryRowProps {
  order: Order;
  /** Explains the fills of the order. */
  onReceipt: (orderSid: number) => void;
}

/** One order of the past: what was asked, or what was filled of it. What filled can be opened. */
export function HistoryRow({ order, onReceipt }: HistoryRowProps) {
  const side = sideOfRow(order.side);
  const isFilled = order.filledQty > 0;
  const placedAt = parseServerTime(order.orderTime);
  const qty = quantity(isFilled ? order.filledQty : order.juQty) + unitOf(order.orderCategory);
  const price = isFilled && !isMissing(order.avgPrc) ? order.avgPrc : order.juPrc;
  const content = (
    <>
      <span className={`${styles.side} ${styles[side]}`}>{sideName(side)}</span>
      <span className={styles.text}>
        <span className={styles.name}>{order.isuKorNm}</span>
        <span className={styles.terms}>{historyCopy.row(qty, isMissing(price) ? waitingCopy.market : money(price, order.currency))}</span>
      </span>
      <span className={styles.end}>
        <span className={styles.total}>{totalOf(order)}</span>
        <span className={styles.status}>
          {order.statusName}
          {placedAt && <time dateTime={placedAt.toISOString()}>{kstTime(placedAt)}</time>}
        </span>
      </span>
    </>
  );
  if (!isFilled) return <div className={styles.row}>{content}</div>;
  return (
    <button type="button" className={styles.row} onClick={() => onReceipt(order.orderSid)}>
      {content}
      <span className="sr-only">{receiptCopy.details}</span>
    </button>
  );
}

// Won: what was paid or received, or what a won limit order would come to. A dollar order has no won before it fills.
function totalOf({ filledQty, filledAmount, juPrc, juQty, currency }: Order): string {
  if (filledQty > 0) return won(filledAmount);
  if (isMissing(juPrc)) return '-';
  return currency === 'USD' ? money(juPrc * juQty, currency) : won(Math.round(juPrc * juQty));
}
