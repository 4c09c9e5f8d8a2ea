import type { Item } from '@/shared/api/types';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { VirtualList } from '@/shared/ui/VirtualList';

const ROW_HEIGHT_PX = 72;

/** Instruments with live prices, drawn only where they are in view. */
export function ItemList({ items, total }: { items: readonly Item[]; total?: number }) {
  return (
    <VirtualList rows={items} keyOf={(item) => item.isuSrtCd} rowHeightPx={ROW_HEIGHT_PX} {...(total === undefined ? {} : { total })}>
      {(item) => <ItemRow item={item} to={itemHref(item)} />}
    </VirtualList>
  );
}
