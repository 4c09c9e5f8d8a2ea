import type { Order } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { changePct, pct } from '@/shared/format/pct';
import { useTick } from '@/shared/realtime/useTick';
import { destinationOf } from '@/shared/realtime/tick';
import { unitOf, waitingCopy } from './copy';
import { sideName, sideOfRow } from './orderSides';
import styles from './WaitingOrders.module.css';

interface WaitingRowProps {
  order: Order;
  canCancel: boolean;
  onCancel: () => void;
}

/** One waiting order and its way out. */
export function WaitingRow({ order, canCancel, onCancel }: WaitingRowProps) {
  const side = sideOfRow(order.side);
  const unit = unitOf(order.orderCategory);
  const placedAt = parseServerTime(order.orderTime);
  const price = isMissing(order.juPrc) ? waitingCopy.market : money(order.juPrc, order.currency);
  return (
    <div className={styles.row}>
      <span className={`${styles.side} ${styles[side]}`}>{sideName(side)}</span>
      <div className={styles.text}>
        <p className={styles.name}>{order.isuKorNm}</p>
        <p className={styles.terms}>{waitingCopy.row(quantity(order.remainQty) + unit, price)}</p>
        <p className={styles.meta}>
          <Distance order={order} />
          {order.filledQty > 0 && <span>{waitingCopy.filled(quantity(order.filledQty) + unit)}</span>}
          {order.status === 'QUEUED' && <span>{order.statusName}</span>}
          {placedAt && <time dateTime={placedAt.toISOString()}>{kstTime(placedAt)}</time>}
        </p>
      </div>
      <button
        type="button"
        className={styles.cancel}
        aria-label={waitingCopy.cancelOf(order.isuKorNm)}
        aria-disabled={!canCancel || undefined}
        onClick={() => canCancel && onCancel()}
      >
        {waitingCopy.cancelShort}
      </button>
    </div>
  );
}

// Only this line follows the ticks; it is read when looked for, never announced.
function Distance({ order }: { order: Order }) {
  const tick = useTick(order.isuSrtCd, destinationOf(order.marketCode));
  if (isMissing(order.juPrc)) return <span>{order.waitingForPrice ? waitingCopy.forPrice : order.statusName}</span>;
  const away = tick ? changePct(order.juPrc, tick.price) : null;
  if (away === null) return <span>{order.statusName}</span>;
  const percent = pct(Math.abs(away));
  return <span>{percent === '0%' ? waitingCopy.noGap : waitingCopy.gap(percent)}</span>;
}
