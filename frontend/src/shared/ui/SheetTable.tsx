import type { ReactNode } from 'react';
import styles from './SheetTable.module.css';

interface SheetTableProps {
  caption: string;
  columns: readonly string[];
  /** Rows, each with its header in the first cell. */
  children: ReactNode;
}

/** A table of sums that fits the width of a sheet. */
export function SheetTable({ caption, columns, children }: SheetTableProps) {
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
