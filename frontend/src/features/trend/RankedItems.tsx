import type { Item } from '@/shared/api/types';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import styles from './Trend.module.css';

/** Instruments with their positions. The prices move, the order stands until the next reading. */
export function RankedItems({ items }: { items: readonly Item[] }) {
  return (
    <ol>
      {items.map((item, index) => (
        <li key={item.isuSrtCd} className={styles.ranked}>
          <span className={styles.position}>{index + 1}</span>
          <div className={styles.rankedRow}>
            <ItemRow item={item} to={itemHref(item)} />
          </div>
        </li>
      ))}
    </ol>
  );
}
