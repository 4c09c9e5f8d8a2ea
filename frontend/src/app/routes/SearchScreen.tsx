import { heartOf, heartOfProduct } from '@/features/like/Hearts';
import { ProductRow } from '@/features/product/ProductRow';
import { SearchOverlay, type SearchOverlayProps } from '@/features/search/SearchOverlay';

/** The search with the rows and hearts of the lists. */
export default function SearchScreen(props: SearchOverlayProps) {
  return (
    <SearchOverlay
      {...props}
      heartOf={heartOf}
      productRow={(product, name) => <ProductRow product={product} name={name} control={heartOfProduct(product)} />}
    />
  );
}
