import { useQueryClient } from '@tanstack/react-query';
import { useMemberSid } from '@/shared/api/session';
import { editPosts } from './communityCache';
import { putPostLike } from './feedApi';
import { type Change, toggleLike } from './toggleLike';
import type { Post } from './types';

/** Likes a post, or takes the like back, at once. Nothing happens for visitors; a failure only reverts it. */
export function useLikePost(): (post: Post) => void {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  return (post) => {
    if (memberSid === null) return;
    const apply = (change: Change) => editPosts(queryClient, ({ sid }) => sid === post.sid, change);
    void toggleLike(queryClient, `post ${post.sid}`, post.isLike, apply, (like) => putPostLike(post.sid, like));
  };
}
