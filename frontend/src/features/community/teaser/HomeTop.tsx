import { communityPaths } from '@/features/community/communityPaths';
import { TopPosts } from '@/features/community/feed/TopPosts';

/** The posts of the day on the home screen. */
export default function HomeTop({ memberSid }: { memberSid: number }) {
  return <TopPosts memberSid={memberSid} category="ALL" all={communityPaths.home} />;
}
