import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Category } from '@/shared/api/assets';
import type { Fill, Order } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Button } from '@/shared/ui/Button';
import { Facts } from '@/shared/ui/Facts';
import { CheckIcon, ClockIcon } from '@/shared/ui/icons';
import { announceScreen } from '@/shared/ui/screenAnnouncer';
import { useAcceptsTaps } from '@/shared/ui/useAcceptsTaps';
import { endReasonSentence, orderModified, orderPlaced, resultCopy } from '@/features/order/copy';
import { isFinal, orderQuery, termsQuery } from '@/features/order/orderQueries';
import { hasReachedAmount } from '@/features/order/rules/orderByAmount';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { doneFacts, profitFact } from './doneFacts';
import styles from './OrderDone.module.css';

interface OrderDoneProps {
  memberSid: number;
  category: Category;
  order: Order;
  fills: readonly Fill[];
  /** The reply is to a modification. */
  isChange: boolean;
  unit: string;
  /** Named where the order could have come from another account. */
  accountName: string | null;
  onClose: () => void;
  onSeeWaiting: () => void;
  onSeeHoldings: () => void;
  onSeeOthers: () => void;
  onWhy: (orderSid: number) => void;
}

/** The result. Fills appear without a reload, usually within a second. */
export function OrderDone(props: OrderDoneProps) {
  const { memberSid, order: placed, fills, isChange, unit, accountName, onClose, onSeeWaiting, onSeeHoldings, onSeeOthers, onWhy } = props;
  const { data } = useQuery({
    ...orderQuery(memberSid, placed.orderSid),
    ...(fills.length > 0 || isFinal(placed.status) ? { initialData: { order: placed, fills: [...fills] } } : {}),
  });
  const order = data?.order ?? placed;
  const isFilled = order.filledQty > 0;
  // Refetched with every fill: the buying power, and for a sale the remaining holding.
  const terms = useQuery({ ...termsQuery(memberSid, order.isuSrtCd, order.acno, null), queryKey: leftKey(memberSid, order) }).data;
  const isWaiting = !isChange && waits(order);
  const message = (isChange ? orderModified : orderPlaced)(order.isuKorNm, sideOfRow(order.side));
  const title = isWaiting ? resultCopy.waits : message;
  const done = doneFacts({ order, fills: data?.fills ?? fills, unit, accountName, terms });
  const heading = useRef<HTMLHeadingElement>(null);
  const acceptsTaps = useAcceptsTaps(true);
  useEffect(() => announceScreen(title), [title]);
  // Once only: a fill that arrives while somebody reads must not move the focus.
  useEffect(() => heading.current?.focus(), []);

  return (
    <section className={styles.done}>
      <div className={styles.middle}>
        <span aria-hidden="true" className={isWaiting ? styles.clock : styles.check}>
          {isWaiting ? <ClockIcon size={40} /> : <CheckIcon size={40} />}
        </span>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {isWaiting && <p className={styles.message}>{message}</p>}
        <p role="status" className={styles.progress}>
          {progressOf(order, unit, isChange)}
        </p>
        {order.status === 'PARTIAL' && isMissing(order.juPrc) && <p className={styles.because}>{resultCopy.partlyWhy}</p>}
        {hasReachedAmount(order) && <p className={styles.because}>{resultCopy.notBought(quantity(order.remainQty) + unit)}</p>}
        <div className={styles.facts}>
          <Facts facts={done.facts} {...(done.sum && { sum: done.sum })} />
          {profitFact(data?.fills ?? fills) && <p className={styles.because}>{resultCopy.profitNote}</p>}
          {done.left.length > 0 && <Facts facts={done.left} />}
        </div>
        <div className={styles.ways}>
          {isFilled && (
            <>
              <Way acceptsTaps={acceptsTaps} onClick={() => onWhy(order.orderSid)}>
                {resultCopy.why}
              </Way>
              <Way acceptsTaps={acceptsTaps} onClick={onSeeOthers}>
                {resultCopy.seeOthers}
              </Way>
            </>
          )}
        </div>
      </div>
      <div className={styles.actions}>
        {isFinal(order.status) ? (
          isFilled && (
            <Button tone="neutral" size="large" resting={!acceptsTaps} onClick={onSeeHoldings}>
              {resultCopy.seeHoldings}
            </Button>
          )
        ) : (
          <Button tone="neutral" size="large" resting={!acceptsTaps} onClick={onSeeWaiting}>
            {resultCopy.seeWaiting}
          </Button>
        )}
        <Button size="large" resting={!acceptsTaps} onClick={onClose}>
          {action.confirm}
        </Button>
      </div>
    </section>
  );
}

function Way({ acceptsTaps, onClick, children }: { acceptsTaps: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <Button tone="text" resting={!acceptsTaps} onClick={onClick}>
      {children}
    </Button>
  );
}

function leftKey(memberSid: number, { acno, isuSrtCd, orderSid, filledQty, status }: Order) {
  return [...termsQuery(memberSid, isuSrtCd, acno, null).queryKey, 'after', orderSid, filledQty, status];
}

/** An accepted order without a fill. A market order fills within moments unless there is no price. */
function waits({ status, filledQty, juPrc, waitingForPrice }: Order): boolean {
  if (filledQty > 0) return false;
  return status === 'QUEUED' || (status === 'ACCEPTED' && (waitingForPrice || !isMissing(juPrc)));
}

function progressOf(order: Order, unit: string, isChange: boolean): string {
  switch (order.status) {
    case 'FILLED':
      return resultCopy.filledAt(won(order.filledAmount));
    case 'PARTIAL':
      return resultCopy.partly(quantity(order.filledQty) + unit, quantity(order.remainQty) + unit);
    case 'QUEUED':
      return isChange ? resultCopy.changed : resultCopy.queued;
    case 'ACCEPTED':
      if (isChange) return resultCopy.changed;
      if (order.waitingForPrice) return resultCopy.waitingForPrice;
      return isMissing(order.juPrc) ? resultCopy.working : resultCopy.accepted;
    case 'CANCELED':
    case 'EXPIRED':
    case 'REPLACED':
    case 'REJECTED':
      if (hasReachedAmount(order)) return resultCopy.filledAt(won(order.filledAmount));
      return endReasonSentence(order.endReason ?? '') || order.statusName;
  }
}
