import { heartOfProduct } from '@/features/like/Hearts';
import { ProductListPage } from '@/features/product/ProductListPage';
import { SearchEntry } from './SearchEntry';

export default function ProductListRoute() {
  return <ProductListPage search={<SearchEntry kind="product" />} heartOf={heartOfProduct} />;
}
