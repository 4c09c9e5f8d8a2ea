import { removed, useRemoval } from '@/features/community/commentRemoval';
import { detailCopy } from '@/features/community/copy.detail';
import { useRecentBlocks } from '@/features/community/recentBlocks';
import type { Comment } from '@/features/community/types';

/** Leaves out comments that were just deleted and those of authors who were just blocked; with replies their places stay. */
export function useShownComments(): (comments: readonly Comment[]) => Comment[] {
  const { hidden } = useRemoval();
  const blocks = useRecentBlocks();
  return (comments) =>
    comments.flatMap((comment) => {
      const isRemoved = hidden.has(comment.sid);
      if (!isRemoved && !blocks.has(comment.userSid)) return [comment];
      if (comment.answerCount === 0) return [];
      return [isRemoved ? removed(comment) : blocked(comment)];
    });
}

/** The place of a comment whose author is blocked, as the server describes it. */
function blocked(comment: Comment): Comment {
  return { ...comment, isBlocked: true, content: detailCopy.blockedContent, contentImg: '', images: [], userSid: 0, userNickName: '' };
}
