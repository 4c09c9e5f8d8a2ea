import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { putComment, putPost, sendAnswer, sendComment, sendPost } from '@/features/community/writingApi';
import { rememberReplyTo } from '@/features/community/ownReplies';
import { NOBODY } from '@/features/community/communityPaths';
import { own } from '@/features/community/queryParts';
import { editorCopy } from '@/features/community/copy.editor';
import { isGone } from '@/features/community/detail/MissingPost';
import { messageOf } from '@/features/community/messageOf';
import type { Comment, Post, WritingStatus } from '@/features/community/types';
import { isProblem } from '@/shared/api/apiProblem';
import { haptic } from '@/shared/platform/haptics';
import type { Writing } from './writing';
import { sentText, type WritingMode } from './writingMode';

export interface Sent {
  /** The post that it belongs to. */
  boardSid: number;
  status: WritingStatus;
  /** Of a reply, the comment above it. */
  parentSid?: number | null;
}

interface Answers {
  onSent: (sent: Sent) => void;
  /** The request id publishes nothing any more. */
  onSpent: () => void;
}

/** Sends a text once. A retry after a lost reply carries the same request id, so that nothing is written twice. */
export function useSubmit(memberSid: number, mode: WritingMode, parent: Comment | null, { onSent, onSpent }: Answers) {
  const queryClient = useQueryClient();
  // Stays set after a success: the screen is on its way out.
  const isInFlight = useRef(false);
  const [failure, setFailure] = useState<string | null>(null);

  const mutation = useMutation({
    mutationFn: ({ writing, reqSid }: { writing: Writing; reqSid: string }) => send(memberSid, mode, parent, writing, reqSid),
    onSuccess: (sent) => {
      haptic('success');
      if (mode.kind === 'reply' && sent.parentSid) rememberReplyTo(sent.parentSid);
      onSent(sent);
      void queryClient.invalidateQueries({ queryKey: own(memberSid) });
    },
    onError: (problem) => {
      haptic('error');
      isInFlight.current = false;
      if (isSpent(problem)) onSpent();
      setFailure(messageOf(problem, editorCopy.failed));
    },
  });

  return {
    isSending: mutation.isPending,
    failure,
    submit: (writing: Writing, reqSid: string) => {
      if (isInFlight.current) return;
      isInFlight.current = true;
      setFailure(null);
      mutation.mutate({ writing, reqSid });
    },
  };
}

async function send(memberSid: number, mode: WritingMode, parent: Comment | null, writing: Writing, reqSid: string): Promise<Sent> {
  const content = sentText(writing.content);
  const alts = writing.pictures.map(({ alt }) => alt);
  const contentImg = writing.pictures.map(({ url }) => url).join(',');
  const text = { content, contentImg, ...(alts.some((alt) => alt !== '') && { imageAlts: alts }) };
  const post = { memberSid, category: writing.category, ...text, tags: writing.tags.map(({ code }) => ({ code, isHeld: writing.showsHeld })) };
  switch (mode.kind) {
    case 'post':
      return ofPost(await sendPost({ ...post, reqSid }));
    case 'editPost':
      return ofPost(await putPost({ ...post, sid: mode.sid }));
    case 'comment':
      return sendComment({ ...text, boardSid: mode.boardSid, memberSid, reqSid });
    case 'editComment':
      return putComment({ ...text, commentSid: mode.sid });
    case 'reply': {
      // Replies have one level: a reply to a reply goes to its comment, and names whom it is for.
      const parentSid = parent?.parentSid ?? null;
      if (parent === null || parentSid === null) return sendAnswer({ ...text, commentSid: mode.commentSid, memberSid, reqSid });
      return sendAnswer({ ...text, commentSid: parentSid, memberSid, ...(parent.userSid !== NOBODY && { tagUserSid: parent.userSid }), reqSid });
    }
  }
}

/**
 * Whether a request id stands for another text, or for one that was deleted since. Other rejections are not stored under the id,
 * and say nothing about an earlier send whose reply was lost.
 */
function isSpent(problem: Error): boolean {
  return isProblem(problem, 'REQ_SID_REUSED') || isGone(problem);
}

function ofPost({ sid, status }: Post): Sent {
  return { boardSid: sid, status };
}
