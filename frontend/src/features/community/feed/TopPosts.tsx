import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Badge } from '@/features/community/Author';
import styles from '@/features/community/Community.module.css';
import top from './TopPosts.module.css';
import { postHref } from '@/features/community/communityPaths';
import { topQuery } from '@/features/community/feedQueries';
import { useRecentBlocks } from '@/features/community/recentBlocks';
import { communityCopy, postCopy } from '@/features/community/copy';
import type { Category, Post } from '@/features/community/types';
import { unitless } from '@/shared/format/number';
import { Section, SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';

interface TopPostsProps {
  memberSid: number | null;
  category: Category;
  /** The link to the list, where this is not the list. */
  all?: string;
}

/** The three posts that were liked and discussed most in the last days. Nothing where there are none. */
export function TopPosts({ memberSid, category, all }: TopPostsProps) {
  const { data, error, refetch } = useQuery(topQuery(memberSid, category));
  const blocks = useRecentBlocks();
  // What nobody has liked or discussed yet is new, not popular.
  const posts = data?.posts.filter(({ writerId, likeCount, commentCount }) => likeCount + commentCount > 0 && !blocks.has(writerId));
  if (posts?.length === 0) return null;
  return (
    <Section title={communityCopy.top} {...(all !== undefined && { all })}>
      {posts && (
        <ol className={top.carousel}>
          {posts.map((post) => (
            <li key={post.sid} className={top.slide}>
              <TopPost post={post} />
            </li>
          ))}
        </ol>
      )}
      {!posts && (error ? <SectionError onRetry={() => void refetch()} /> : <SlidesSkeleton />)}
    </Section>
  );
}

function TopPost({ post }: { post: Post }) {
  return (
    <Link to={postHref(post.sid)} className={top.topPost}>
      <span className={styles.nameLine}>
        <span className={top.topName}>{post.nickname}</span>
        <Badge level={post.level} isOperator={post.isOperator} />
      </span>
      <span className={top.topText}>{post.content}</span>
      <span className={styles.meta}>
        {postCopy.likes(unitless(post.likeCount))} · {postCopy.comments(unitless(post.commentCount))}
      </span>
    </Link>
  );
}

function SlidesSkeleton() {
  return (
    <div aria-busy="true">
      <div className={top.carousel} aria-hidden="true">
        <span className={top.slide}>
          <Bone width="100%" height={132} radius={16} />
        </span>
      </div>
    </div>
  );
}
