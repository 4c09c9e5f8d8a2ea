import { ListPage } from '@/features/market/ListPage';
import { SearchPill } from '@/features/search/SearchPill';

export default function CoinListRoute() {
  return <ListPage key="coin" category="coin" search={<SearchPill category="coin" />} />;
}
