import { useSearchParams } from 'react-router';
import { likeCopy } from '@/features/like/copy';
import { LIKED_TABS } from '@/features/like/LikedTabs';
import { paths } from '@/shared/paths';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';
import { MemberLikes } from './MemberLikes';

/** The member's likes. The tab is in the address. */
export default function LikesRoute() {
  const [search, setSearch] = useSearchParams();
  const tab = LIKED_TABS.find((known) => known === search.get('tab')) ?? 'stock';
  return (
    <>
      <TopBar title={likeCopy.screen} backTo={paths.my} actions={tab !== 'product' && <PriceStatus />} />
      <main id="main">
        <MemberLikes
          tab={tab}
          onTab={(next) => setSearch({ tab: next }, { replace: true })}
        />
      </main>
    </>
  );
}
