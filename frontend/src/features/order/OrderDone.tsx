import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Fill, Order } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Button } from '@/shared/ui/Button';
import { CheckIcon } from '@/shared/ui/icons';
import { announceScreen } from '@/shared/ui/screenAnnouncer';
import { useRested } from '@/shared/ui/useRested';
import { endReasonSentence, orderModified, orderPlaced, resultCopy } from './copy';
import { isFinal, orderQuery } from './orderQueries';
import { sideOfRow } from './orderSides';
import styles from './OrderDone.module.css';

interface OrderDoneProps {
  memberSid: number;
  order: Order;
  fills: readonly Fill[];
  /** A waiting order was changed, instead of a new one made. */
  isChange: boolean;
  unit: string;
  onClose: () => void;
  onSeeWaiting: () => void;
  onWhy: (orderSid: number) => void;
}

/** The order is in. Below the check the fill appears by itself, usually within a second. */
export function OrderDone({ memberSid, order: placed, fills, isChange, unit, onClose, onSeeWaiting, onWhy }: OrderDoneProps) {
  const { data } = useQuery({
    ...orderQuery(memberSid, placed.orderSid),
    ...(fills.length > 0 || isFinal(placed.status) ? { initialData: { order: placed, fills: [...fills] } } : {}),
  });
  const order = data?.order ?? placed;
  const title = (isChange ? orderModified : orderPlaced)(order.isuKorNm, sideOfRow(order.side));
  const heading = useRef<HTMLHeadingElement>(null);
  const isRested = useRested(true);
  useEffect(() => {
    announceScreen(title);
    heading.current?.focus();
  }, [title]);

  return (
    <section className={styles.done}>
      <div className={styles.middle}>
        <span aria-hidden="true" className={styles.check}>
          <CheckIcon size={40} />
        </span>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        <p role="status" className={styles.progress}>
          {progressOf(order, unit)}
        </p>
        <div className={styles.why}>
          {order.filledQty > 0 && (
            <Button tone="text" onClick={() => onWhy(order.orderSid)}>
              {resultCopy.why}
            </Button>
          )}
        </div>
      </div>
      <div className={styles.actions}>
        {!isFinal(order.status) && (
          <Button tone="neutral" size="large" resting={!isRested} onClick={onSeeWaiting}>
            {resultCopy.seeWaiting}
          </Button>
        )}
        <Button size="large" resting={!isRested} onClick={onClose}>
          {action.confirm}
        </Button>
      </div>
    </section>
  );
}

function progressOf(order: Order, unit: string): string {
  switch (order.status) {
    case 'FILLED':
      return resultCopy.filledAt(won(order.filledAmount));
    case 'PARTIAL':
      return resultCopy.partly(quantity(order.filledQty) + unit, quantity(order.remainQty) + unit);
    case 'QUEUED':
      return resultCopy.queued;
    case 'ACCEPTED':
      if (order.waitingForPrice) return resultCopy.waitingForPrice;
      return isMissing(order.juPrc) ? resultCopy.working : resultCopy.accepted;
    case 'CANCELED':
    case 'EXPIRED':
    case 'REPLACED':
    case 'REJECTED':
      return endReasonSentence(order.endReason ?? '') || order.statusName;
  }
}
