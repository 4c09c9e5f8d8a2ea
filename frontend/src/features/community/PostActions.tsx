import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { givenLater } from '@/shared/copy/copy.given.later';
import { Dialog } from '@/shared/ui/Dialog';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { Sheet } from '@/shared/ui/Sheet';
import { requireMember } from '@/shared/ui/signInPrompt';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import styles from './Menu.module.css';
import { deletePost } from './moderationApi';
import { DROPPED, editPosts } from './communityCache';
import { editPostHref, NOBODY } from './communityPaths';
import { own } from './queryParts';
import { postCopy } from './copy';
import { decisionCopy } from './copy.decisions';
import { Moderation, type ModerationStep } from './Moderation';
import type { Post } from './types';
import { useMute } from './useMute';

/** The state of the editor's entry when the detail is right behind it. */
const FROM_DETAIL = { fromDetail: true };

interface PostActionsProps {
  post: Post;
  open: boolean;
  onClose: () => void;
  onGone: (() => void) | undefined;
}

/** The sheet of a post's menu, and the questions behind it. */
export function PostActions({ post, open, onClose, onGone }: PostActionsProps) {
  const memberSid = useMemberSid();
  const { pathname, search } = useLocation();
  const [step, setStep] = useState<'delete' | ModerationStep | null>(null);
  const choose = (next: 'delete' | ModerationStep) => {
    onClose();
    if (requireMember(pathname + search)) setStep(next);
  };
  const close = () => setStep(null);
  const mute = useMute(memberSid, post.sid);
  const toggleMute = () => {
    onClose();
    if (requireMember(pathname + search)) mute.mutate(!post.isMuted);
  };
  const muteAction = <Action onSelect={toggleMute}>{post.isMuted ? decisionCopy.unmute : decisionCopy.mute}</Action>;
  return (
    <>
      <Sheet open={open} title={postCopy.menuTitle} onClose={onClose}>
        {post.isMine ? (
          <OwnActions post={post} isDetail={onGone !== undefined} onDelete={() => choose('delete')}>
            {muteAction}
          </OwnActions>
        ) : (
          <ul>
            {muteAction}
            <Action onSelect={() => choose('report')}>{postCopy.report}</Action>
            {post.writerId !== NOBODY && <Action onSelect={() => choose('block')}>{postCopy.block}</Action>}
          </ul>
        )}
      </Sheet>
      {memberSid !== null && post.isMine && <DeletePost memberSid={memberSid} post={post} open={step === 'delete'} onClose={close} onDeleted={onGone} />}
      {memberSid !== null && !post.isMine && (
        <Moderation
          memberSid={memberSid}
          step={step === 'delete' ? null : step}
          target={{ kind: 'POST', sid: post.sid }}
          author={{ userSid: post.writerId, nickname: post.nickname }}
          onClose={close}
          onBlocked={onGone}
        />
      )}
    </>
  );
}

function OwnActions({ post, isDetail, onDelete, children }: { post: Post; isDetail: boolean; onDelete: () => void; children: ReactNode }) {
  const navigate = useNavigateFromOverlay();
  return (
    <ul>
      <Action onSelect={() => navigate(editPostHref(post.sid), isDetail ? { state: FROM_DETAIL } : {})}>{givenLater.edit}</Action>
      {children}
      <Action isDanger onSelect={onDelete}>
        {givenLater.remove}
      </Action>
    </ul>
  );
}

function Action({ isDanger = false, onSelect, children }: { isDanger?: boolean; onSelect: () => void; children: string }) {
  return (
    <li>
      <button type="button" className={isDanger ? styles.dangerAction : styles.action} onClick={onSelect}>
        {children}
      </button>
    </li>
  );
}

interface DeletePostProps {
  memberSid: number;
  post: Post;
  open: boolean;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
}

function DeletePost({ memberSid, post, open, onClose, onDeleted }: DeletePostProps) {
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: () => deletePost(post.sid),
    onSuccess: () => {
      onClose();
      showSnackbar(givenLater.postRemoved);
      onDeleted?.();
      editPosts(queryClient, ({ sid }) => sid === post.sid, () => DROPPED);
      void queryClient.invalidateQueries({ queryKey: own(memberSid), predicate: ({ queryKey }) => !queryKey.includes('post') });
    },
    onError: () => {
      onClose();
      showSnackbar(givenLater.postRemoveFailed);
    },
  });
  return (
    <Dialog
      open={open}
      title={givenLater.removeTitle}
      body={givenLater.removeBody}
      onClose={onClose}
      confirm={{ label: givenLater.remove, tone: 'danger', busy: removal.isPending, onClick: () => removal.mutate() }}
    />
  );
}
