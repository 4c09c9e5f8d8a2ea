import { type CSSProperties, type ReactNode, type Ref, use } from 'react';
import { WindowVirtualizer } from 'virtua';
import styles from './Feed.module.css';
import type { Post } from '@/features/community/types';
import { ListSize, RowSlot } from '@/shared/ui/VirtualList';
import { PostCard } from './PostCard';

/** Cards drawn before anything is measured. */
const FIRST_CARDS = 6;
/** Cards of which a phone shows at least the upper part. */
const CARDS_IN_VIEW = 2;
/** About the height of a card; each is measured when it is drawn. */
const CARD_PX = 280;

/** Post cards of any height. Only those near the view are drawn. */
export function CardList({ posts }: { posts: readonly Post[] }) {
  return (
    <ListSize value={posts.length}>
      <WindowVirtualizer as="ul" item={CardItem} itemSize={CARD_PX} bufferSize={CARD_PX} ssrCount={Math.min(FIRST_CARDS, posts.length)}>
        {posts.map((post, index) => (
          <RowSlot key={post.sid}>
            <PostCard post={post} isInView={index < CARDS_IN_VIEW} />
          </RowSlot>
        ))}
      </WindowVirtualizer>
    </ListSize>
  );
}

interface CardItemProps {
  style: CSSProperties;
  index: number;
  children: ReactNode;
  ref?: Ref<HTMLLIElement>;
}

function CardItem({ style, index, children, ref }: CardItemProps) {
  return (
    <li ref={ref} style={style} className={styles.cardItem} aria-setsize={use(ListSize)} aria-posinset={index + 1}>
      {children}
    </li>
  );
}
