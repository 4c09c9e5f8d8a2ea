import { createContext, type CSSProperties, type Key, type ReactNode, type Ref, use } from 'react';
import { WindowVirtualizer } from 'virtua';
import { ListRow } from './ListRow';

/** Rows drawn before anything is measured: the first screen of a phone. */
export const FIRST_ROWS = 12;

/** Rows drawn beyond either edge of the screen: every one of them is work in every frame of scrolling. */
const ROWS_AHEAD = 1;

/** How long the list around a row is, for its position. */
export const ListSize = createContext(0);

interface VirtualListProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  rowHeightPx: number;
  /** How long the whole list is, when more is known than is loaded. */
  total?: number;
  children: (row: Row, index: number) => ReactNode;
}

/** A list that scrolls with the page and draws only the rows in view. It stays a real list for assistive technology. */
export function VirtualList<Row>({ rows, keyOf, rowHeightPx, total, children }: VirtualListProps<Row>) {
  return (
    <ListSize value={total ?? rows.length}>
      <WindowVirtualizer
        as="ul"
        item={ListItem}
        itemSize={rowHeightPx}
        bufferSize={rowHeightPx * ROWS_AHEAD}
        ssrCount={Math.min(FIRST_ROWS, rows.length)}
      >
        {rows.map((row, index) => (
          <RowSlot key={keyOf(row)}>{children(row, index)}</RowSlot>
        ))}
      </WindowVirtualizer>
    </ListSize>
  );
}

/** Keeps a row apart from the place it is drawn at. */
export function RowSlot({ children }: { children: ReactNode }) {
  return children;
}

interface ListItemProps {
  style: CSSProperties;
  index: number;
  children: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

/** A row's place, told to assistive technology. */
export function ListItem({ style, index, children, ref }: ListItemProps) {
  return (
    <ListRow ref={ref} style={style} aria-setsize={use(ListSize)} aria-posinset={index + 1}>
      {children}
    </ListRow>
  );
}
