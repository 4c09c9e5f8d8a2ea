import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { isProblem } from '@/shared/api/apiProblem';
import { given } from '@/shared/copy/copy.given';
import { givenLater } from '@/shared/copy/copy.given.later';
import { dismissSnackbar, showSnackbar, takeSnackbarAction } from '@/shared/ui/snackbarStore';
import { useOnLeave } from '@/shared/ui/useOnLeave';
import { deleteComment } from './detailApi';
import { DROPPED, editComments, editPosts } from './communityCache';
import { own } from './queryParts';
import { detailCopy } from './copy.detail';
import type { Comment } from './types';

interface Removal {
  /** The comment that an undo still brings back, which is as long as its message is shown. */
  undoable: Comment | null;
  /** What is not shown: the undoable one, and those whose deletion is on its way. */
  hidden: ReadonlySet<number>;
}

const useRemovalStore = create<Removal>(() => ({ undoable: null, hidden: new Set() }));

export const useRemoval = (): Removal => useRemovalStore((state) => state);

/** Hides a comment at once. It is deleted when its message goes without an undo; an earlier one is deleted first. */
export function removeComment(queryClient: QueryClient, memberSid: number, comment: Comment): void {
  showSnackbar(givenLater.commentRemoved, {
    action: { label: given.undo, onClick: () => show(comment) },
    onDismiss: () => void commit(queryClient, memberSid, comment),
  });
  useRemovalStore.setState(({ hidden }) => ({ undoable: comment, hidden: new Set([...hidden, comment.sid]) }));
}

/** Brings the comment back. */
export function undoRemoval(): void {
  if (useRemovalStore.getState().undoable) takeSnackbarAction();
}

/** Deletes at once what could still be undone, when the screen is left or the page is hidden: nobody could undo it there. */
export function useCommitOnLeave(): void {
  useOnLeave(commitNow);
}

function commitNow(): void {
  // The message takes its undo along.
  if (useRemovalStore.getState().undoable) dismissSnackbar();
}

async function commit(queryClient: QueryClient, memberSid: number, comment: Comment): Promise<void> {
  useRemovalStore.setState({ undoable: null });
  try {
    await deleteComment(comment.sid);
    forget(queryClient, comment);
  } catch (problem) {
    if (isProblem(problem, 'COMMENT_NOT_FOUND')) forget(queryClient, comment);
    else showSnackbar(detailCopy.removeFailed);
  }
  show(comment);
  void queryClient.invalidateQueries({ queryKey: own(memberSid) });
}

function show({ sid }: Comment): void {
  useRemovalStore.setState(({ undoable, hidden }) => ({
    undoable: undoable?.sid === sid ? null : undoable,
    hidden: new Set([...hidden].filter((one) => one !== sid)),
  }));
}

/** Without its replies a comment goes; with them it leaves its place. */
function forget(queryClient: QueryClient, { sid, boardSid, parentSid }: Comment): void {
  editComments(queryClient, (comment) => comment.sid === sid, (comment) => (comment.answerCount > 0 ? removed(comment) : DROPPED));
  editComments(queryClient, (comment) => comment.sid === parentSid, (parent) => ({ ...parent, answerCount: Math.max(0, parent.answerCount - 1) }));
  editPosts(queryClient, (post) => post.sid === boardSid, (post) => {
    const commentCount = Math.max(0, post.commentCount - 1);
    return { ...post, commentCount, isComment: commentCount > 0 };
  });
}

/** The place of a deleted comment with replies, as the server describes it. */
export function removed(comment: Comment): Comment {
  return { ...comment, isDeleted: true, isMine: false, content: detailCopy.removedContent, contentImg: '', images: [], userSid: 0, userNickName: '' };
}
