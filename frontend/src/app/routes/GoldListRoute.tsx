import { heartOf } from '@/features/like/Hearts';
import { GoldItems } from '@/features/market/GoldItems';
import { GoldRates } from '@/features/market/GoldRates';
import { ListPage } from '@/features/market/ListPage';
import { SearchEntry } from './SearchEntry';
import { HeldItems, LikedItems } from './MemberItems';

export default function GoldListRoute() {
  return (
    <ListPage
      key="gold"
      category="gold"
      search={<SearchEntry kind="gold" />}
      heartOf={heartOf}
      liked={<LikedItems kind="gold" />}
      held={<HeldItems category="gold" />}
      above={<GoldRates />}
      all={<GoldItems heartOf={heartOf} />}
    />
  );
}
