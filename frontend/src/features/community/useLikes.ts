import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemberSid } from '@/shared/api/session';
import { haptic } from '@/shared/platform/haptics';
import { postCommentLike, putPostLike } from './communityApi';
import { cancelReloads, editComments, editPosts } from './communityCache';
import type { Comment, Post } from './types';

interface Likeable {
  isLike: boolean;
  likeCount: number;
}
type Change = <Row extends Likeable>(row: Row) => Row;

/** Rows with a request in flight, whose further taps are ignored. */
const inFlight = new Set<string>();

/** Likes a post, or takes the like back, at once. Nothing happens for visitors; a failure only reverts it. */
export function useLikePost(): (post: Post) => void {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  return (post) => {
    if (memberSid === null) return;
    const apply = (change: Change) => editPosts(queryClient, ({ sid }) => sid === post.sid, change);
    void toggle(queryClient, `post ${post.sid}`, post.isLike, apply, (like) => putPostLike(post.sid, like));
  };
}

/** The same for a comment or a reply. */
export function useLikeComment(): (comment: Comment) => void {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  return (comment) => {
    if (memberSid === null) return;
    const apply = (change: Change) => editComments(queryClient, ({ sid }) => sid === comment.sid, change);
    void toggle(queryClient, `comment ${comment.sid}`, comment.isLike, apply, (like) => postCommentLike(memberSid, comment, like));
  };
}

async function toggle(queryClient: QueryClient, key: string, wasLiked: boolean, apply: (change: Change) => void, send: (like: boolean) => Promise<Likeable>): Promise<void> {
  if (inFlight.has(key)) return;
  inFlight.add(key);
  haptic('selection');
  apply((row) => liked(row, !wasLiked));
  try {
    await cancelReloads(queryClient);
    const { isLike, likeCount } = await send(!wasLiked);
    apply((row) => ({ ...row, isLike, likeCount }));
  } catch {
    apply((row) => liked(row, wasLiked));
  } finally {
    inFlight.delete(key);
  }
}

/** Changes one like of the count, so that a count loaded meanwhile stays right. */
function liked<Row extends Likeable>(row: Row, isLike: boolean): Row {
  if (row.isLike === isLike) return row;
  return { ...row, isLike, likeCount: Math.max(0, row.likeCount + (isLike ? 1 : -1)) };
}
