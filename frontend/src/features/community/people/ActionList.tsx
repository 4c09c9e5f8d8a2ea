import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { TalkIcon } from '@/shared/ui/icons';
import styles from './People.module.css';
import { communityPaths, postHref } from '@/features/community/communityPaths';
import { rowsOf } from '@/features/community/queryParts';
import { useRecentBlocks } from '@/features/community/recentBlocks';
import { actionsQuery } from '@/features/community/peopleQueries';
import { postCopy } from '@/features/community/copy';
import { detailCopy } from '@/features/community/copy.detail';
import { peopleCopy } from '@/features/community/copy.people';
import { CardsSkeleton } from '@/features/community/feed/CardsSkeleton';
import { PostCard } from '@/features/community/feed/PostCard';
import { StatusNotice } from '@/features/community/StatusNotice';
import type { ActionType, Comment } from '@/features/community/types';
import { unitless } from '@/shared/format/number';
import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { ButtonLink } from '@/shared/ui/Button';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { EmptyState, ErrorState } from '@/shared/ui/States';

const SKELETON_CARDS = 3;

interface ActionListProps {
  memberSid: number;
  userSid: number;
  type: ActionType;
}

/** What a member wrote, or liked. */
export function ActionList({ memberSid, userSid, type }: ActionListProps) {
  const list = useInfiniteQuery(actionsQuery(memberSid, userSid, type));
  const blocks = useRecentBlocks();
  if (list.isPending && list.fetchStatus !== 'paused') return <CardsSkeleton cards={SKELETON_CARDS} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const posts = rowsOf(list.data.pages.map((page) => page.posts)).filter((post) => !blocks.has(post.writerId));
  const comments = rowsOf(list.data.pages.map((page) => page.comments)).filter((comment) => !blocks.has(comment.userSid));
  // A page may be empty before the last one: those after it are loaded as at the end of a list.
  if (posts.length + comments.length === 0 && !list.hasNextPage) {
    const browse = (
      <ButtonLink to={communityPaths.home} tone="neutral">
        {peopleCopy.emptyAction}
      </ButtonLink>
    );
    return <EmptyState title={peopleCopy.empty[type]} {...(memberSid === userSid && { action: browse })} />;
  }
  return (
    <>
      <ul>
        {posts.map((post) => (
          <li key={`post ${post.sid}`} className={styles.row}>
            <PostCard post={post} />
          </li>
        ))}
        {comments.map((comment) => (
          <li key={`comment ${comment.sid}`} className={styles.row}>
            <CommentRow comment={comment} />
          </li>
        ))}
      </ul>
      <InfiniteFooter hasMore={list.hasNextPage} isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  );
}

/** A comment away from its post, to which it leads. */
function CommentRow({ comment }: { comment: Comment }) {
  const at = parseServerTime(comment.regDate);
  return (
    <Link to={postHref(comment.boardSid)} className={styles.comment}>
      <StatusNotice status={comment.status} />
      <span className={styles.commentText}>
        {comment.tagUserNickName && <span className={styles.tagged}>{detailCopy.tagged(comment.tagUserNickName)} </span>}
        {comment.content}
      </span>
      <span className={styles.meta}>
        {at && <time dateTime={at.toISOString()}>{kstDateTime(at)}</time>} · {postCopy.likes(unitless(comment.likeCount))} <TalkIcon size={16} /> {peopleCopy.openPost}
      </span>
    </Link>
  );
}
