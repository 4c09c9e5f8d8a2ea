import { heartOf } from '@/features/like/Hearts';
import { LikedItems } from '@/features/like/LikedItems';
import { ListPage } from '@/features/market/ListPage';
import { SearchPill } from '@/features/search/SearchPill';
import { HeldItems } from './HeldItems';

export default function CoinListRoute() {
  return (
    <ListPage
      key="coin"
      category="coin"
      search={<SearchPill category="coin" />}
      heartOf={heartOf}
      liked={<LikedItems kind="coin" />}
      held={<HeldItems category="coin" />}
    />
  );
}
