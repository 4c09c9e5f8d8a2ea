import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Product } from '@/shared/api/types';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { InvestTabs } from '@/shared/ui/InvestTabs';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { Tabs } from '@/shared/ui/Tabs';
import { TopBar } from '@/shared/ui/TopBar';
import { VirtualList } from '@/shared/ui/VirtualList';
import { productList } from './copy';
import styles from './ProductListPage.module.css';
import { PRODUCT_KINDS, PRODUCT_SORTS, type ProductKind, type ProductSort, productsQuery } from './productQueries';
import { ProductRow } from './ProductRow';

const KINDS = PRODUCT_KINDS.map((value) => ({ value, label: productList.kind[value] }));
const PANEL_ID = 'product-list';
const ROW_HEIGHT_PX = 72;
const SKELETON_ROWS = 6;

interface ProductListPageProps {
  heartOf: (product: Product) => ReactNode;
  /** The control that opens the search. */
  search?: ReactNode;
}

/** The deposits and savings of the banks. Kind and sort order are in the address, so that back and sharing preserve them. */
export function ProductListPage({ heartOf, search }: ProductListPageProps) {
  const [params, setParams] = useSearchParams();
  const kind = PRODUCT_KINDS.find((known) => known === params.get('kind')) ?? '03';
  const sort = PRODUCT_SORTS.find((known) => known === params.get('sort')) ?? 'popular';
  const show = (next: { kind: ProductKind; sort: ProductSort }) => setParams(next, { replace: true });
  return (
    <>
      <TopBar title={productList.title} />
      <InvestTabs current="product" />
      <main id="main">
        <div className={styles.sticky}>
          {search && <div className={styles.search}>{search}</div>}
          <div className={styles.kinds}>
            <Tabs label={productList.kinds} options={KINDS} value={kind} panelId={PANEL_ID} onChange={(next) => show({ kind: next, sort })} />
          </div>
          <ChoiceChips
            label={productList.sort}
            values={PRODUCT_SORTS}
            names={productList.sorts}
            value={sort}
            onChange={(next) => show({ kind, sort: next })}
          />
        </div>
        <div id={PANEL_ID} role="tabpanel" aria-label={productList.kind[kind]}>
          <Products kind={kind} sort={sort} heartOf={heartOf} />
        </div>
      </main>
    </>
  );
}

function Products({ kind, sort, heartOf }: { kind: ProductKind; sort: ProductSort; heartOf: (product: Product) => ReactNode }) {
  const { data, error, refetch } = useQuery(productsQuery(kind, sort));
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={SKELETON_ROWS} />;
  }
  if (data.length === 0) return <EmptyState title={productList.empty} />;
  return (
    <>
      <VirtualList key={`${kind} ${sort}`} rows={data} keyOf={({ sid }) => sid} rowHeightPx={ROW_HEIGHT_PX}>
        {(product) => <ProductRow product={product} control={heartOf(product)} />}
      </VirtualList>
      <Disclosed rateMonth={newestMonth(data)} />
    </>
  );
}

function Disclosed({ rateMonth }: { rateMonth: string }) {
  if (!/^\d{6}$/.test(rateMonth)) return null;
  return <p className={styles.note}>{productList.disclosed(rateMonth.slice(0, 4), String(Number(rateMonth.slice(4))))}</p>;
}

function newestMonth(products: readonly Product[]): string {
  return products.reduce((newest, { rateMonth }) => (rateMonth > newest ? rateMonth : newest), '');
}
