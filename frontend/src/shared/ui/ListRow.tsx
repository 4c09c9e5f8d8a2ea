import type { ComponentProps } from 'react';
import styles from './ListRow.module.css';

/** A list item that is one row, at least 72 px high, with its contents side by side. A link in it may cover all of it. */
export function ListRow(props: ComponentProps<'li'>) {
  return <li className={styles.row} {...props} />;
}
