import { useQueryClient } from '@tanstack/react-query';
import { useMemberSid } from '@/shared/api/session';
import { editComments } from '@/features/community/communityCache';
import { postCommentLike } from '@/features/community/detailApi';
import { type Change, toggleLike } from '@/features/community/toggleLike';
import type { Comment } from '@/features/community/types';

/** Likes a comment or a reply, or takes the like back, at once. Nothing happens for visitors. */
export function useLikeComment(): (comment: Comment) => void {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  return (comment) => {
    if (memberSid === null) return;
    const apply = (change: Change) => editComments(queryClient, ({ sid }) => sid === comment.sid, change);
    void toggleLike(queryClient, `comment ${comment.sid}`, comment.isLike, apply, (like) => postCommentLike(memberSid, comment, like));
  };
}
