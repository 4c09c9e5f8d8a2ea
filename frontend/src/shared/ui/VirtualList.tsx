import { type Key, memo, type ReactNode, type Ref, useLayoutEffect, useRef } from 'react';
import { useRowsInView, type WatchRow } from './useRowsInView';
import styles from './VirtualList.module.css';

type DrawRow<Row> = (row: Row, index: number) => ReactNode;

interface RowsProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  rowHeightPx: number;
  children: DrawRow<Row>;
}

interface VirtualListProps<Row> extends RowsProps<Row> {
  /** How long the whole list is, when more is known than is loaded. */
  total?: number;
}

/**
 * A list that scrolls with the page, or with the sheet it lies in, and draws only the rows in view. It stays a real list for
 * assistive technology.
 */
export function VirtualList<Row>({ rows, keyOf, rowHeightPx, total = rows.length, children }: VirtualListProps<Row>) {
  const { list, first, last, places, watch } = useRowsInView<HTMLUListElement>(rows.length, rowHeightPx);
  return (
    <ul ref={list} className={styles.list} style={{ height: places.topOf(rows.length), paddingTop: places.topOf(first) }}>
      {rows.slice(first, last + 1).map((row, offset) => (
        <DrawnRow key={keyOf(row)} row={row} index={first + offset} total={total} draw={children} watch={watch} />
      ))}
    </ul>
  );
}

interface VirtualRowsProps<Row> extends RowsProps<Row> {
  /** Told which row is at a distance from the top of the screen, whenever the page is scrolled. */
  stickAtPx: number;
  onRowAt: (index: number) => void;
}

/** The same for rows that are no list, such as entries among their headings, with what stands under a bar at the top. */
export function VirtualRows<Row>({ rows, keyOf, rowHeightPx, stickAtPx, onRowAt, children }: VirtualRowsProps<Row>) {
  const { list, first, last, places, watch } = useRowsInView<HTMLDivElement>(rows.length, rowHeightPx, { stickAtPx, onRowAt });
  return (
    <div ref={list} className={styles.list} style={{ height: places.topOf(rows.length), paddingTop: places.topOf(first) }}>
      {rows.slice(first, last + 1).map((row, offset) => (
        <DrawnRow key={keyOf(row)} row={row} index={first + offset} draw={children} watch={watch} />
      ))}
    </div>
  );
}

interface DrawnRowProps<Row> {
  row: Row;
  index: number;
  /** How long the list is; without it the row is no item of a list. */
  total?: number;
  draw: DrawRow<Row>;
  watch: WatchRow;
}

/** Scrolling renders only the rows that come into view. */
const DrawnRow = memo(function DrawnRow<Row>({ row, index, total, draw, watch }: DrawnRowProps<Row>) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => (place.current ? watch(place.current, index) : undefined), [watch, index]);
  if (total === undefined) return <div ref={place as Ref<HTMLDivElement>}>{draw(row, index)}</div>;
  return (
    <li ref={place as Ref<HTMLLIElement>} aria-setsize={total} aria-posinset={index + 1}>
      {draw(row, index)}
    </li>
  );
}) as <Row>(props: DrawnRowProps<Row>) => ReactNode;
