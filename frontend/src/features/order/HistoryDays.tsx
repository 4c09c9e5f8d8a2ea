import { useCallback, useMemo, useState } from 'react';
import type { Order } from '@/shared/api/types';
import { kstDayKey, kstParts, parseServerTime } from '@/shared/format/kst';
import { VirtualRows } from '@/shared/ui/VirtualList';
import { historyCopy } from './copy';
import { HistoryRow } from './HistoryRow';
import styles from './OrderHistory.module.css';

type Entry = { kind: 'day'; key: string; title: string } | { kind: 'order'; key: string; title: string; order: Order };

const ROW_HEIGHT_PX = 72;
const STICKS_AT_PX = 52;

interface HistoryDaysProps {
  /** Newest first. */
  orders: readonly Order[];
  onReceipt: (orderSid: number) => void;
}

/**
 * Orders under the day they were placed on in Korea; only what is in view is drawn. The day in view stays at the top: drawn
 * over its own heading, so that nothing moves when it begins to stick.
 */
export function HistoryDays({ orders, onReceipt }: HistoryDaysProps) {
  const entries = useMemo(() => entriesOf(orders), [orders]);
  const [index, setIndex] = useState(0);
  const draw = useCallback(
    (entry: Entry) =>
      entry.kind === 'day' ? (
        <h2 className={styles.heading}>{entry.title}</h2>
      ) : (
        <HistoryRow order={entry.order} onReceipt={onReceipt} />
      ),
    [onReceipt],
  );
  return (
    <>
      <div aria-hidden="true" className={styles.sticky}>
        <span className={styles.heading}>{(entries[index] ?? entries[0])?.title}</span>
      </div>
      <VirtualRows rows={entries} keyOf={keyOf} rowHeightPx={ROW_HEIGHT_PX} stickAtPx={STICKS_AT_PX} onRowAt={setIndex}>
        {draw}
      </VirtualRows>
    </>
  );
}

function keyOf({ key }: Entry): string {
  return key;
}

function entriesOf(orders: readonly Order[]): Entry[] {
  const entries: Entry[] = [];
  let day = '';
  let title = '';
  for (const order of orders) {
    const at = parseServerTime(order.orderTime);
    const key = at ? kstDayKey(at) : '';
    if (at && key !== day) {
      const { year, month, day: date } = kstParts(at);
      day = key;
      title = historyCopy.day(year, month, date);
      entries.push({ kind: 'day', key, title });
    }
    entries.push({ kind: 'order', key: `order ${order.orderSid}`, title, order });
  }
  return entries;
}
