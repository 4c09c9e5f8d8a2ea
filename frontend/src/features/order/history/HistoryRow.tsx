import type { Order } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { averagePrice, money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { EntryRow } from '@/shared/ui/EntryRow';
import { historyCopy, unitOf, waitingCopy } from '@/features/order/copy';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { SideChip } from '@/features/order/SideChip';
import { receiptCopy } from './copy.receipt';

interface HistoryRowProps {
  order: Order;
  /** Explains the fills of the order. */
  onReceipt: (orderSid: number) => void;
}

/** One order of the past: what was asked, or what was filled of it. What filled can be opened. */
export function HistoryRow({ order, onReceipt }: HistoryRowProps) {
  const isFilled = order.filledQty > 0;
  const placedAt = parseServerTime(order.orderTime);
  const qty = quantity(isFilled ? order.filledQty : order.juQty) + unitOf(order.orderCategory);
  return (
    <EntryRow
      lead={<SideChip side={sideOfRow(order.side)} />}
      name={order.isuKorNm}
      detail={historyCopy.row(qty, priceOf(order))}
      value={totalOf(order)}
      note={
        <>
          {order.statusName} {placedAt && <time dateTime={placedAt.toISOString()}>{kstTime(placedAt)}</time>}
        </>
      }
      {...(isFilled && { onClick: () => onReceipt(order.orderSid), spoken: receiptCopy.details })}
    />
  );
}

function priceOf({ filledQty, avgPrc, juPrc, currency }: Order): string {
  if (filledQty > 0 && !isMissing(avgPrc)) return averagePrice(avgPrc, currency);
  return isMissing(juPrc) ? waitingCopy.market : price(juPrc, currency);
}

// Won: what was paid or received, or what a won limit order would come to. A dollar order has no won before it fills.
function totalOf({ filledQty, filledAmount, juPrc, juQty, currency }: Order): string {
  if (filledQty > 0) return won(filledAmount);
  if (isMissing(juPrc)) return '-';
  return currency === 'USD' ? money(juPrc * juQty, currency) : won(Math.round(juPrc * juQty));
}
