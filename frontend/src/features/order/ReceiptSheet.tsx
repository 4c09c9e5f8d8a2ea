import { useQuery } from '@tanstack/react-query';
import type { Fill, Order } from '@/shared/api/types';
import { kstDate, kstParts, kstTime, parseServerTime, two } from '@/shared/format/kst';
import { dollars, money } from '@/shared/format/money';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { useMemberSid } from '@/shared/api/session';
import { Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { receiptCopy, ruleSentence } from './copy.receipt';
import { unitOf } from './copy';
import { orderQuery } from './orderQueries';
import { sideOfRow } from './orderSides';
import { hideReceipt, useReceiptOrder } from './receiptStore';
import styles from './ReceiptSheet.module.css';

/** Where receipts open; mounted once. */
export function ReceiptHost() {
  const orderSid = useReceiptOrder();
  const memberSid = useMemberSid();
  return (
    <Sheet open={orderSid !== null && memberSid !== null} title={receiptCopy.title} onClose={hideReceipt}>
      {orderSid !== null && memberSid !== null && <Receipt memberSid={memberSid} orderSid={orderSid} />}
    </Sheet>
  );
}

function Receipt({ memberSid, orderSid }: { memberSid: number; orderSid: number }) {
  const detail = useQuery(orderQuery(memberSid, orderSid));
  if (detail.isPending) return <RowsSkeleton rows={3} />;
  if (!detail.data) return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />;
  const { order, fills } = detail.data;
  if (fills.length === 0) return <EmptyState title={receiptCopy.none} />;
  return (
    <>
      <Summary order={order} />
      <ol className={styles.fills}>
        {fills.map((fill, index) => (
          <li key={fill.fillSid} className={styles.fill}>
            {fills.length > 1 && <h3 className={styles.nth}>{receiptCopy.nth(index + 1, fills.length)}</h3>}
            <p className={styles.why}>{ruleSentence(fill.rule, sideOfRow(order.side), fill.slippageTicks)}</p>
            <FillFacts fill={fill} order={order} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Summary({ order }: { order: Order }) {
  return (
    <div className={styles.summary}>
      <p className={styles.name}>{order.isuKorNm}</p>
      <p className={styles.total}>{won(order.filledAmount)}</p>
      <p className={styles.average}>
        {quantity(order.filledQty) + unitOf(order.orderCategory)} · {receiptCopy.average} {money(order.avgPrc, order.currency)}
      </p>
    </div>
  );
}

function FillFacts({ fill, order }: { fill: Fill; order: Order }) {
  const price = (value: number) => (order.currency === 'USD' ? dollars(value) : money(value, 'KRW'));
  const unit = unitOf(order.orderCategory);
  const facts: [string, string | null][] = [
    [receiptCopy.at, timeOf(fill.eventTime)],
    [receiptCopy.tick, price(fill.tickPrc)],
    [receiptCopy.ask, isMissing(fill.askPrc) ? null : price(fill.askPrc)],
    [receiptCopy.bid, isMissing(fill.bidPrc) ? null : price(fill.bidPrc)],
    [receiptCopy.price, price(fill.fillPrc)],
    [receiptCopy.qty, quantity(fill.fillQty) + unit],
    [receiptCopy.cap, isMissing(fill.capQty) ? null : quantity(fill.capQty) + unit],
    [receiptCopy.rate, isMissing(fill.fxRate) ? null : won(fill.fxRate)],
    [receiptCopy.amount, won(fill.amount)],
    [receiptCopy.fee, won(fill.fee)],
    [receiptCopy.tax, fill.tax > 0 ? won(fill.tax) : null],
    [receiptCopy.number, String(fill.tickSeq)],
    [receiptCopy.model, fill.modelVersion],
  ];
  return (
    <Facts facts={facts.filter(([, value]) => value !== null)} />
  );
}

function timeOf(eventTime: string): string {
  const at = parseServerTime(eventTime);
  return at ? `${kstDate(at)} ${kstTime(at)}:${two(kstParts(at).second)}` : '-';
}
