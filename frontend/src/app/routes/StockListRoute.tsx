import { ListPage } from '@/features/market/ListPage';
import { SearchPill } from '@/features/search/SearchPill';

export default function StockListRoute() {
  return <ListPage key="stock" category="stock" search={<SearchPill category="stock" />} />;
}
