import { useSearchParams } from 'react-router';
import { sidOf } from '@/features/community/communityPaths';
import { DetailPage } from '@/features/community/detail/DetailPage';
import { FeedPage } from '@/features/community/feed/FeedPage';

/** The list of the community and the detail of a post, which share most of their code. */
export default function CommunityRoute({ screen }: { screen: 'feed' | 'detail' }) {
  const [params] = useSearchParams();
  return screen === 'feed' ? <FeedPage /> : <DetailPage sid={sidOf(params.get('communitySid'))} />;
}
