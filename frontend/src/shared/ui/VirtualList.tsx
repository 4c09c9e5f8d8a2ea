import { createContext, type CSSProperties, type Key, type ReactNode, type Ref, use } from 'react';
import { WindowVirtualizer } from 'virtua';
import { ListRow } from './ListRow';

/** Rows drawn before anything is measured: a phone's first screen. */
export const FIRST_ROWS = 12;

/** Rows drawn beyond either edge; each is work in every frame of scrolling. */
const ROWS_AHEAD = 1;

/** The size of the list around a row, for `aria-setsize`. */
export const ListSize = createContext(0);

interface VirtualListProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  rowHeightPx: number;
  /** The size of the whole list, when more is known than loaded. */
  total?: number;
  children: (row: Row, index: number) => ReactNode;
}

/** A list that scrolls with the page and renders only the rows in view. It stays a list for assistive technology. */
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

/** Isolates a row from its position in the list. */
export function RowSlot({ children }: { children: ReactNode }) {
  return children;
}

interface ListItemProps {
  style: CSSProperties;
  index: number;
  children: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

/** Exposes a row's position to assistive technology. */
export function ListItem({ style, index, children, ref }: ListItemProps) {
  return (
    <ListRow ref={ref} style={style} aria-setsize={use(ListSize)} aria-posinset={index + 1}>
      {children}
    </ListRow>
  );
}
