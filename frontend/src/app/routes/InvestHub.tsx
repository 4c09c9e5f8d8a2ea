import { useState } from 'react';
import { hubCopy } from '@/features/home/copy';
import { PopularTabs } from '@/features/home/PopularTabs';
import { heartOf } from '@/features/like/Hearts';
import type { LikedTab } from '@/features/like/LikedTabs';
import { SearchPill } from '@/features/search/SearchPill';
import { InvestTabs } from '@/shared/ui/InvestTabs';
import { PracticeChip, usePriceExplanation } from '@/shared/ui/PracticeChip';
import { RtBadge } from '@/shared/ui/RtBadge';
import { TopBar } from '@/shared/ui/TopBar';
import { MemberLikes } from './MemberLikes';
import styles from './HomeRoute.module.css';

const EVERYTHING = Number.POSITIVE_INFINITY;

/** The selections across all kinds: what the member likes, and what is popular. */
export default function InvestHub({ tab }: { tab: 'liked' | 'popular' }) {
  const explanation = usePriceExplanation();
  const [likedTab, setLikedTab] = useState<LikedTab>('stock');
  return (
    <>
      <TopBar
        title={hubCopy.screen}
        actions={
          <div className={styles.status}>
            <RtBadge />
            <PracticeChip />
          </div>
        }
      />
      <InvestTabs current={tab} />
      <main id="main">
        <div className={styles.search}>
          <SearchPill category="stock" />
        </div>
        {tab === 'liked' && <MemberLikes tab={likedTab} onTab={setLikedTab} />}
        {tab === 'popular' && <PopularTabs shown={EVERYTHING} controlOf={heartOf} />}
        {explanation && <p className={styles.note}>{explanation}</p>}
      </main>
    </>
  );
}
