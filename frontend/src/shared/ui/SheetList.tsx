import type { ComponentProps } from 'react';
import styles from './SheetList.module.css';
import { VirtualList } from './VirtualList';

/** A list inside a sheet, from edge to edge. */
export function SheetList<Row>(props: ComponentProps<typeof VirtualList<Row>>) {
  return (
    <div className={styles.place}>
      <VirtualList {...props} />
    </div>
  );
}
