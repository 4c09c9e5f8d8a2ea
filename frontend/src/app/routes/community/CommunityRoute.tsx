import { FeedPage } from '@/features/community/feed/FeedPage';

export default function CommunityRoute() {
  return <FeedPage />;
}
