import { heartOf } from '@/features/like/Hearts';
import { ListPage } from '@/features/market/ListPage';
import { SearchEntry } from './SearchEntry';
import { HeldItems, LikedItems } from './MemberItems';

export default function StockListRoute() {
  return (
    <ListPage
      key="stock"
      category="stock"
      search={<SearchEntry kind="stock" />}
      heartOf={heartOf}
      liked={<LikedItems kind="shares" />}
      held={<HeldItems category="stock" />}
    />
  );
}
