import { heartOf } from '@/features/like/Hearts';
import { ListPage } from '@/features/market/ListPage';
import { SearchEntry } from './SearchEntry';
import { HeldItems, LikedItems } from './MemberItems';

export default function CoinListRoute() {
  return (
    <ListPage
      key="coin"
      category="coin"
      search={<SearchEntry kind="coin" />}
      heartOf={heartOf}
      liked={<LikedItems kind="coin" />}
      held={<HeldItems category="coin" />}
    />
  );
}
