import { useRef } from 'react';
import type { Item } from '@/shared/api/types';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import styles from './Trend.module.css';
import { type RankedBy, useShownOrder } from './useShownOrder';

/** Instruments with their positions, which follow the prices at a calm pace. */
export function RankedItems({ items, by }: { items: readonly Item[]; by: RankedBy }) {
  const list = useRef<HTMLOListElement>(null);
  const shown = useShownOrder(items, by, list);
  return (
    <ol ref={list}>
      {shown.map((item, index) => (
        <ListRow key={item.isuSrtCd}>
          <span className={styles.position}>{index + 1}</span>
          <ItemRow item={item} to={itemHref(item)} />
        </ListRow>
      ))}
    </ol>
  );
}
