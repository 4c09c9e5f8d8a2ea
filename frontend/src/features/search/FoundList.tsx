import type { ReactNode } from 'react';
import type { Item, Product } from '@/shared/api/types';
import { itemHref } from '@/shared/paths';
import { ItemRow } from '@/shared/ui/ItemRow';
import { SheetList } from '@/shared/ui/SheetList';

const ROW_HEIGHT_PX = 72;

/** Row parts provided by the route: hearts, and how a product is rendered. */
export interface FoundRows {
  heartOf: (item: Item) => ReactNode;
  productRow: (product: Product, name: ReactNode) => ReactNode;
}

interface FoundListProps<Row> {
  rows: readonly Row[];
  /** Highlights the matching part of a name. */
  mark: (name: string) => ReactNode;
}

export function FoundItems({ rows, mark, heartOf }: FoundListProps<Item> & Pick<FoundRows, 'heartOf'>) {
  return (
    <SheetList rows={rows} keyOf={({ isuSrtCd }) => isuSrtCd} rowHeightPx={ROW_HEIGHT_PX}>
      {(item) => <ItemRow item={item} to={itemHref(item)} name={mark(item.isuKorNm)} control={heartOf(item)} />}
    </SheetList>
  );
}

export function FoundProducts({ rows, mark, productRow }: FoundListProps<Product> & Pick<FoundRows, 'productRow'>) {
  return (
    <SheetList rows={rows} keyOf={({ sid }) => sid} rowHeightPx={ROW_HEIGHT_PX}>
      {(product) => productRow(product, mark(product.prdtNm))}
    </SheetList>
  );
}
