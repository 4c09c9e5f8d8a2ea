import type { Order } from '@/shared/api/types';
import { useAccountName } from '@/shared/api/useAccountName';
import { unitOf } from '@/shared/copy/copy.units';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { averagePrice, money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { price } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { EntryRow } from '@/shared/ui/EntryRow';
import { historyCopy, resultCopy, waitingCopy } from '@/features/order/copy';
import { wholeProduct } from '@/features/order/rules/decimal';
import { endedByAmount, hasReachedAmount } from '@/features/order/rules/orderByAmount';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { SideChip } from '@/features/order/SideChip';
import { receiptCopy } from './copy.receipt';

interface HistoryRowProps {
  memberSid: number;
  order: Order;
  /** Opens the receipt. */
  onReceipt: (orderSid: number) => void;
}

/** A past order, as requested or as filled. Filled orders can be opened. */
export function HistoryRow({ memberSid, order, onReceipt }: HistoryRowProps) {
  const accountName = useAccountName(memberSid)(order.acno);
  const isFilled = order.filledQty > 0;
  const placedAt = parseServerTime(order.orderTime);
  const unit = unitOf(order.orderCategory);
  const isOnlyAmount = !isFilled && !isMissing(order.orderAmount);
  const qty = isOnlyAmount ? historyCopy.worth(won(order.orderAmount)) : quantity(isFilled ? order.filledQty : order.juQty) + unit;
  const rest = endedByAmount(order) ? resultCopy.notBought(isFilled ? quantity(order.remainQty) + unit : null) : null;
  return (
    <EntryRow
      lead={<SideChip side={sideOfRow(order.side)} />}
      name={order.isuKorNm}
      detail={historyCopy.row(qty, priceOf(order))}
      value={totalOf(order)}
      note={
        <>
          {hasReachedAmount(order) ? historyCopy.filled : order.statusName} {placedAt && <time dateTime={placedAt.toISOString()}>{kstTime(placedAt)}</time>}
        </>
      }
      more={[accountName, rest].filter(Boolean).join(' · ')}
      {...(isFilled && { onClick: () => onReceipt(order.orderSid), spoken: receiptCopy.details })}
    />
  );
}

function priceOf({ filledQty, avgPrc, juPrc, currency }: Order): string {
  if (filledQty > 0 && !isMissing(avgPrc)) return averagePrice(avgPrc, currency);
  return isMissing(juPrc) ? waitingCopy.market : price(juPrc, currency);
}

// In won: the amount paid or received, or the value of a limit order, rounded as its fill will be. A dollar order has no won amount before it fills.
function totalOf({ side, filledQty, filledAmount, juPrc, juQty, currency }: Order): string {
  if (filledQty > 0) return won(filledAmount);
  if (isMissing(juPrc)) return '-';
  return currency === 'USD' ? money(juPrc * juQty, currency) : won(wholeProduct([juPrc, juQty], side === 'BUY' ? 'up' : 'down'));
}
