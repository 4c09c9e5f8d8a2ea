import type { ReactNode } from 'react';
import type { Item } from '@/shared/api/types';
import { factLine } from '@/shared/format/factLine';
import { itemHref } from '@/shared/paths';
import { list } from './copy';
import { ItemRow } from '@/shared/ui/ItemRow';
import { VirtualList } from '@/shared/ui/VirtualList';

const ROW_HEIGHT_PX = 72;

interface ItemListProps {
  items: readonly Item[];
  heartOf: (item: Item) => ReactNode;
  /** The size of the whole list, when more is known than loaded. */
  total?: number;
}

/** A virtualized list of instruments with live prices. */
export function ItemList({ items, heartOf, total }: ItemListProps) {
  return (
    <VirtualList rows={items} keyOf={(item) => item.isuSrtCd} rowHeightPx={ROW_HEIGHT_PX} {...(total === undefined ? {} : { total })}>
      {(item) => (
        <ItemRow
          item={item}
          to={itemHref(item)}
          control={heartOf(item)}
          {...(item.marketCode === 'COIN' && { meta: factLine(item.isuSrtCd, list.day) })}
        />
      )}
    </VirtualList>
  );
}
