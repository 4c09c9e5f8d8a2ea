import { useSearchParams } from 'react-router';
import { hubCopy } from '@/features/home/copy';
import { PopularTabs } from '@/features/home/PopularTabs';
import { heartOf } from '@/features/like/Hearts';
import { LIKED_TABS } from '@/features/like/LikedTabs';
import { SearchEntry } from './SearchEntry';
import { InvestTabs } from '@/shared/ui/InvestTabs';
import { PriceNote, PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';
import styles from './InvestHub.module.css';
import { MemberLikes } from './MemberLikes';

const EVERYTHING = Number.POSITIVE_INFINITY;

/** The selections across all kinds: what the member likes, and what is popular. */
export default function InvestHub({ tab }: { tab: 'liked' | 'popular' }) {
  return (
    <>
      <TopBar title={hubCopy.screen} actions={<PriceStatus />} />
      <InvestTabs current={tab} />
      <main id="main">
        <div className={styles.search}>
          <SearchEntry kind="stock" />
        </div>
        {tab === 'popular' ? <PopularTabs shown={EVERYTHING} controlOf={heartOf} /> : <Liked />}
        <PriceNote />
      </main>
    </>
  );
}

function Liked() {
  const [search, setSearch] = useSearchParams();
  return (
    <MemberLikes
      tab={LIKED_TABS.find((known) => known === search.get('kind')) ?? 'stock'}
      onTab={(kind) => setSearch({ tab: 'liked', kind }, { replace: true })}
    />
  );
}
