import { useSearchParams } from 'react-router';
import { likeCopy } from '@/features/like/copy';
import { LIKED_TABS } from '@/features/like/LikedTabs';
import { paths } from '@/shared/paths';
import { RtBadge } from '@/shared/ui/RtBadge';
import { TopBar } from '@/shared/ui/TopBar';
import { MemberLikes } from './MemberLikes';

/** What the member likes. The kind lives in the address. */
export default function LikesRoute() {
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <TopBar title={likeCopy.screen} backTo={paths.my} actions={<span style={{ paddingRight: 12 }}><RtBadge /></span>} />
      <main id="main">
        <MemberLikes
          tab={LIKED_TABS.find((known) => known === search.get('tab')) ?? 'stock'}
          onTab={(tab) => setSearch({ tab }, { replace: true })}
        />
      </main>
    </>
  );
}
