import { type ReactNode, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useMemberSid } from '@/shared/api/session';
import type { Fill, Order } from '@/shared/api/types';
import { unitOf } from '@/shared/copy/copy.units';
import { kstDate, kstParts, kstTime, parseServerTime, two } from '@/shared/format/kst';
import { isMissing, quantity } from '@/shared/format/number';
import { price as priceText } from '@/shared/format/price';
import { won } from '@/shared/format/won';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { resultCopy } from '@/features/order/copy';
import { filledPrice, profitFact, totalOf } from '@/features/order/sheet/doneFacts';
import { exchangeNote } from '@/features/order/sheet/exchangeNote';
import { orderQuery } from '@/features/order/orderQueries';
import { hasReachedAmount } from '@/features/order/rules/orderByAmount';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { modelName, receiptCopy, ruleSentence } from './copy.receipt';
import { hideReceipt, useReceiptOrder } from './receiptStore';
import styles from './ReceiptSheet.module.css';

interface ReceiptProps {
  /** What the order teaches, below its fills. */
  lesson?: (orderSid: number) => ReactNode;
}

/** The host of the receipt sheet; mounted once. */
export function ReceiptHost({ lesson }: ReceiptProps) {
  const orderSid = useReceiptOrder();
  const memberSid = useMemberSid();
  return (
    <Sheet open={orderSid !== null && memberSid !== null} title={receiptCopy.title} onClose={hideReceipt}>
      {orderSid !== null && memberSid !== null && <Receipt memberSid={memberSid} orderSid={orderSid} lesson={lesson} />}
    </Sheet>
  );
}

function Receipt({ memberSid, orderSid, lesson }: { memberSid: number; orderSid: number; lesson: ReceiptProps['lesson'] }) {
  const detail = useQuery(orderQuery(memberSid, orderSid));
  if (detail.isPending) return <RowsSkeleton rows={3} />;
  if (!detail.data) return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />;
  const { order, fills } = detail.data;
  if (fills.length === 0) return <EmptyState title={receiptCopy.none} />;
  return (
    <>
      <Summary order={order} fills={fills} />
      <ol className={styles.fills}>
        {fills.map((fill, index) => (
          <li key={fill.fillSid} className={styles.fill}>
            {fills.length > 1 && <h3 className={styles.nth}>{receiptCopy.nth(index + 1, fills.length)}</h3>}
            <p className={styles.why}>{ruleSentence(fill.rule, sideOfRow(order.side), fill.slippageTicks)}</p>
            <FillFacts fill={fill} order={order} />
          </li>
        ))}
      </ol>
      {/* The receipt is whole without it. */}
      <Suspense fallback={null}>{lesson?.(orderSid)}</Suspense>
    </>
  );
}

/** The order as a whole: the amount paid or received, and how its fills add up to it. */
function Summary({ order, fills }: { order: Order; fills: readonly Fill[] }) {
  const [label, total] = totalOf(order);
  // A single fill has its sums below.
  const sums: (Fact | null)[] = [
    [receiptCopy.amount, won(order.filledAmount)],
    [receiptCopy.fee, won(order.fee)],
    order.tax > 0 ? [receiptCopy.tax, won(order.tax)] : null,
  ];
  const unit = unitOf(order.orderCategory);
  const facts = [
    ...(fills.length > 1 ? sums : []),
    profitFact(fills),
    isMissing(order.orderAmount) ? null : ([resultCopy.amountLimit, won(order.orderAmount)] satisfies Fact),
  ];
  return (
    <div className={styles.summary}>
      <p className={styles.name}>{order.isuKorNm}</p>
      <p className={styles.total}>
        <span className={styles.totalLabel}>{label}</span> {total}
      </p>
      <p className={styles.average}>
        {quantity(order.filledQty) + unit} · {receiptCopy.average} {filledPrice(order)}
      </p>
      {hasReachedAmount(order) && <p className={styles.average}>{resultCopy.notBought(quantity(order.remainQty) + unit)}</p>}
      <Facts facts={facts.filter((fact) => fact !== null)} />
      {profitFact(fills) && <p className={styles.average}>{resultCopy.profitNote}</p>}
    </div>
  );
}

function FillFacts({ fill, order }: { fill: Fill; order: Order }) {
  const price = (value: number) => priceText(value, order.currency);
  const unit = unitOf(order.orderCategory);
  const exchange = exchangeNote(fill);
  const facts: (Fact | null)[] = [
    [receiptCopy.at, timeOf(fill.eventTime)],
    [receiptCopy.price, price(fill.fillPrc)],
    [receiptCopy.qty, quantity(fill.fillQty) + unit],
    exchange ? [receiptCopy.rate, <Rate {...exchange} />] : null,
    [receiptCopy.amount, won(fill.amount)],
    isMissing(fill.slippage) ? null : [receiptCopy.slippage, <Included>{won(fill.slippage)}</Included>],
    isMissing(fill.exchangeCost) || fill.exchangeCost === 0 ? null : [receiptCopy.exchangeCost, <Included>{won(fill.exchangeCost)}</Included>],
    [receiptCopy.fee, won(fill.fee)],
    fill.tax > 0 ? [receiptCopy.tax, won(fill.tax)] : null,
  ];
  const origin: (Fact | null)[] = [
    [receiptCopy.tick, price(fill.tickPrc)],
    isMissing(fill.askPrc) ? null : [receiptCopy.ask, price(fill.askPrc)],
    isMissing(fill.bidPrc) ? null : [receiptCopy.bid, price(fill.bidPrc)],
    isMissing(fill.capQty) ? null : [receiptCopy.cap, quantity(fill.capQty) + unit],
    [receiptCopy.number, String(fill.tickSeq)],
    [receiptCopy.model, modelName(fill.modelVersion)],
  ];
  return (
    <>
      <Facts facts={facts.filter((fact) => fact !== null)} />
      <details className={styles.more}>
        <summary>{receiptCopy.more}</summary>
        <Facts facts={origin.filter((fact) => fact !== null)} />
      </details>
    </>
  );
}

/** A cost that the amount above contains already. */
function Included({ children }: { children: string }) {
  return (
    <>
      {children}
      <span className={styles.made}>{receiptCopy.included}</span>
    </>
  );
}

function Rate({ rate, made }: { rate: string; made: string }) {
  return (
    <>
      {rate}
      <span className={styles.made}>{made}</span>
    </>
  );
}

function timeOf(eventTime: string): string {
  const at = parseServerTime(eventTime);
  return at ? `${kstDate(at)} ${kstTime(at)}:${two(kstParts(at).second)}` : '-';
}
