import { type Key, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import styles from './SheetList.module.css';
import { FIRST_ROWS, ListItem, ListSize, RowSlot } from './VirtualList';

interface SheetListProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  rowHeightPx: number;
  children: (row: Row, index: number) => ReactNode;
}

/** A virtualized list that scrolls with its sheet, from edge to edge. */
export function SheetList<Row>({ rows, keyOf, rowHeightPx, children }: SheetListProps<Row>) {
  const place = useRef<HTMLDivElement>(null);
  const [scroller, setScroller] = useState<{ current: HTMLElement | null; startPx: number } | null>(null);
  useLayoutEffect(() => {
    const element = place.current;
    const current = element?.closest<HTMLElement>('[data-sheet-content]') ?? null;
    const startPx = element && current ? element.getBoundingClientRect().top - current.getBoundingClientRect().top + current.scrollTop : 0;
    setScroller({ current, startPx });
  }, []);
  return (
    <div ref={place} className={styles.place}>
      {scroller && (
        <ListSize value={rows.length}>
          <Virtualizer
            as="ul"
            item={ListItem}
            itemSize={rowHeightPx}
            scrollRef={scroller}
            startMargin={scroller.startPx}
            ssrCount={Math.min(FIRST_ROWS, rows.length)}
          >
            {rows.map((row, index) => (
              <RowSlot key={keyOf(row)}>{children(row, index)}</RowSlot>
            ))}
          </Virtualizer>
        </ListSize>
      )}
    </div>
  );
}
