import { CATEGORIES, type Category, type FeedType } from '@/features/community/types';
import type { Feed } from '@/features/community/feedQueries';
import { communityCopy } from '@/features/community/copy';
import styles from './Feed.module.css';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';

const ORDERS: readonly FeedType[] = ['LATEST', 'HOT'];
const ORDERS_OF_MEMBERS: readonly FeedType[] = [...ORDERS, 'FOLLOW'];

interface FeedFiltersProps {
  feed: Feed;
  isMember: boolean;
  onChange: (feed: Feed) => void;
}

/** Which posts, and in which order. */
export function FeedFilters({ feed, isMember, onChange }: FeedFiltersProps) {
  const chooseCategory = (category: Category) => onChange({ ...feed, category });
  const chooseOrder = (type: FeedType) => onChange({ ...feed, type, code: null });
  return (
    <div className={styles.filters}>
      <ChoiceChips label={communityCopy.categories} values={CATEGORIES} names={communityCopy.category} value={feed.category} onChange={chooseCategory} />
      <ChoiceChips
        label={communityCopy.orders}
        values={isMember ? ORDERS_OF_MEMBERS : ORDERS}
        names={communityCopy.order}
        value={feed.type}
        onChange={chooseOrder}
        look="words"
      />
    </div>
  );
}
