import { useEffect, useMemo, useRef, useState } from 'react';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import type { Order } from '@/shared/api/types';
import { dayName } from '@/shared/copy/copy.days';
import { kstDayKey, kstParts, parseServerTime } from '@/shared/format/kst';
import { GroupHeading } from '@/shared/ui/GroupHeading';
import { HistoryRow } from './HistoryRow';
import styles from './OrderHistory.module.css';

type Entry = { kind: 'day'; key: string; title: string } | { kind: 'order'; key: string; title: string; order: Order };

const ROW_HEIGHT_PX = 72;
const FIRST_ROWS = 14;
const STICKS_AT_PX = 52;

interface HistoryDaysProps {
  memberSid: number;
  /** Newest first. */
  orders: readonly Order[];
  onReceipt: (orderSid: number) => void;
}

/**
 * Orders grouped by the Korean day they were placed on, virtualized. The day in view sticks to the top, drawn over its own
 * heading so that nothing jumps when it begins to stick.
 */
export function HistoryDays({ memberSid, orders, onReceipt }: HistoryDaysProps) {
  const entries = useMemo(() => entriesOf(orders), [orders]);
  const list = useRef<WindowVirtualizerHandle>(null);
  const place = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState(0);

  useEffect(() => {
    const follow = () => {
      const above = STICKS_AT_PX - (place.current?.getBoundingClientRect().top ?? 0);
      setIndex(above > 0 ? (list.current?.findItemIndex(above) ?? 0) : 0);
    };
    window.addEventListener('scroll', follow, { passive: true });
    return () => window.removeEventListener('scroll', follow);
  }, []);

  return (
    <>
      <div aria-hidden="true" className={styles.sticky}>
        <GroupHeading as="span" title={(entries[index] ?? entries[0])?.title} />
      </div>
      <div ref={place}>
        <WindowVirtualizer ref={list} itemSize={ROW_HEIGHT_PX} ssrCount={Math.min(FIRST_ROWS, entries.length)}>
          {entries.map((entry) =>
            entry.kind === 'day' ? (
              <GroupHeading key={entry.key} as="h2" title={entry.title} />
            ) : (
              <HistoryRow key={entry.key} memberSid={memberSid} order={entry.order} onReceipt={onReceipt} />
            ),
          )}
        </WindowVirtualizer>
      </div>
    </>
  );
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
      title = dayName(year, month, date);
      entries.push({ kind: 'day', key, title });
    }
    entries.push({ kind: 'order', key: `order ${order.orderSid}`, title, order });
  }
  return entries;
}
