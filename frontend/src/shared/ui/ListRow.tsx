import type { ComponentProps } from 'react';
import styles from './ListRow.module.css';

/** A list item of one row, at least 72 px high. A link in it may cover all of it. */
export function ListRow(props: ComponentProps<'li'>) {
  return <li className={styles.row} {...props} />;
}
