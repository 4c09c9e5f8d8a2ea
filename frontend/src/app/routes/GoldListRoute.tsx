import { heartOf } from '@/features/like/Hearts';
import { LikedItems } from '@/features/like/LikedItems';
import { ListPage } from '@/features/market/ListPage';
import { SearchPill } from '@/features/search/SearchPill';
import { HeldItems } from './HeldItems';

export default function GoldListRoute() {
  return (
    <ListPage
      key="gold"
      category="gold"
      search={<SearchPill category="gold" />}
      heartOf={heartOf}
      liked={<LikedItems kind="gold" />}
      held={<HeldItems category="gold" />}
    />
  );
}
