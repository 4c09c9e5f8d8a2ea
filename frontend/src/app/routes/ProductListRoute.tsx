import { heartOfProduct } from '@/features/like/Hearts';
import { ProductListPage } from '@/features/product/ProductListPage';

export default function ProductListRoute() {
  return <ProductListPage heartOf={heartOfProduct} />;
}
