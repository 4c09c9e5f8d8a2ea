import type { Order } from '@/shared/api/types';
import { unitOf } from '@/shared/copy/copy.units';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { isMissing, quantity } from '@/shared/format/number';
import { price as priceText } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { useTick } from '@/shared/realtime/useTick';
import { destinationOf } from '@/shared/realtime/tick';
import { MoreIcon } from '@/shared/ui/laterIcons';
import { waitingCopy } from '@/features/order/copy';
import { distanceSentence } from '@/features/order/rules/distance';
import { isModifiable } from '@/features/order/rules/orderByAmount';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { SideChip } from '@/features/order/SideChip';
import styles from './WaitingOrders.module.css';

interface WaitingRowProps {
  order: Order;
  /** Null for the basic account. */
  accountName: string | null;
  /** False while offline. */
  canChange: boolean;
  onMenu: () => void;
  onModify: () => void;
  onCancel: () => void;
}

/** One waiting order. Swiping reveals its actions; the menu button offers the same. */
export function WaitingRow({ order, accountName, canChange, onMenu, onModify, onCancel }: WaitingRowProps) {
  const unit = unitOf(order.orderCategory);
  const placedAt = parseServerTime(order.orderTime);
  const tick = useTick(order.isuSrtCd, destinationOf(order.marketCode));
  const inWon = order.currency === 'USD' && tick?.fxRate && order.juPrc ? Math.round(order.juPrc * tick.fxRate) : null;
  const price = priceOf(order, inWon);
  return (
    <div className={styles.swipe}>
      <div className={styles.row}>
        <SideChip side={sideOfRow(order.side)} />
        <div className={styles.text}>
          <p className={styles.name}>{order.isuKorNm}</p>
          <p className={styles.terms}>{waitingCopy.row(quantity(order.remainQty) + unit, price)}</p>
          <p className={styles.meta}>
            {accountName !== null && <span>{accountName}</span>}
            <span>{distanceOf(order, tick?.price)}</span>
            {inWon !== null && <span>{priceText(order.juPrc, order.currency)}</span>}
            {placedAt && <time dateTime={placedAt.toISOString()}>{kstTime(placedAt)}</time>}
            {order.heldAmount > 0 && <span>{waitingCopy.held(won(order.heldAmount))}</span>}
            {order.filledQty > 0 && <span>{waitingCopy.filled(quantity(order.filledQty) + unit)}</span>}
            {order.status === 'QUEUED' && <span>{order.statusName}</span>}
          </p>
        </div>
        <button
          type="button"
          className={styles.menu}
          aria-haspopup="menu"
          aria-label={waitingCopy.menuOf(order.isuKorNm)}
          aria-disabled={!canChange || undefined}
          onClick={() => canChange && onMenu()}
        >
          <MoreIcon />
        </button>
      </div>
      {/* For swiping; keyboards and screen readers use the menu. */}
      <div aria-hidden="true" className={styles.uncovered}>
        {isModifiable(order) && (
          <button type="button" tabIndex={-1} className={styles.modify} onClick={() => canChange && onModify()}>
            {waitingCopy.modifyShort}
          </button>
        )}
        <button type="button" tabIndex={-1} className={styles.cancel} onClick={() => canChange && onCancel()}>
          {waitingCopy.cancelShort}
        </button>
      </div>
    </div>
  );
}

function priceOf(order: Order, inWon: number | null): string {
  if (isMissing(order.juPrc)) return waitingCopy.market;
  return inWon === null ? priceText(order.juPrc, order.currency) : won(inWon);
}

// Not a live region: it changes with every tick.
function distanceOf(order: Order, livePrice: number | undefined): string {
  if (isMissing(order.juPrc)) return order.waitingForPrice ? waitingCopy.forPrice : order.statusName;
  return distanceSentence(order.juPrc, livePrice) ?? order.statusName;
}
