import { heartOf } from '@/features/like/Hearts';
import { LikedItems } from '@/features/like/LikedItems';
import { ListPage } from '@/features/market/ListPage';
import { SearchPill } from '@/features/search/SearchPill';
import { HeldItems } from './HeldItems';

export default function StockListRoute() {
  return (
    <ListPage
      key="stock"
      category="stock"
      search={<SearchPill category="stock" />}
      heartOf={heartOf}
      liked={<LikedItems kind="shares" />}
      held={<HeldItems category="stock" />}
    />
  );
}
