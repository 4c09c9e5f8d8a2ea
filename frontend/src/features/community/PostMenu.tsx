import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { givenLater } from '@/shared/copy/copy.given.later';
import { Dialog } from '@/shared/ui/Dialog';
import { MoreIcon } from '@/shared/ui/icons';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { Sheet } from '@/shared/ui/Sheet';
import { requireMember } from '@/shared/ui/signInPrompt';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import styles from './Community.module.css';
import { deletePost } from './communityApi';
import { DROPPED, editPosts } from './communityCache';
import { editPostHref } from './communityPaths';
import { own } from './communityQueries';
import { postCopy } from './copy';
import { Moderation, type ModerationStep } from './Moderation';
import type { Post } from './types';

/** The state of the editor's entry when the detail is right behind it. */
export const FROM_DETAIL = { fromDetail: true };

interface PostMenuProps {
  post: Post;
  /** Called when the post is no longer there for the member: deleted, or its author blocked. */
  onGone?: (() => void) | undefined;
}

/** What can be done with a post: by its author, or by others. Nothing with the operator's. */
export function PostMenu({ post, onGone }: PostMenuProps) {
  const memberSid = useMemberSid();
  const { pathname, search } = useLocation();
  const [step, setStep] = useState<'menu' | 'delete' | ModerationStep | null>(null);
  const wasOpened = useWasOpened(step !== null);
  if (post.isOperator && !post.isMine) return null;
  const close = () => setStep(null);
  const moderate = (next: ModerationStep) => {
    setStep(requireMember(pathname + search) ? next : null);
  };
  return (
    <>
      <button type="button" className={styles.menuButton} aria-haspopup="dialog" aria-label={postCopy.menu(post.nickname)} onClick={() => setStep('menu')}>
        <MoreIcon size={20} />
      </button>
      {wasOpened && (
        <Sheet open={step === 'menu'} title={postCopy.menuTitle} onClose={close}>
          {post.isMine ? (
            <OwnActions post={post} isDetail={onGone !== undefined} onDelete={() => setStep('delete')} />
          ) : (
            <ul>
              <Action onSelect={() => moderate('report')}>{postCopy.report}</Action>
              <Action onSelect={() => moderate('block')}>{postCopy.block}</Action>
            </ul>
          )}
        </Sheet>
      )}
      {wasOpened && memberSid !== null && post.isMine && <DeletePost memberSid={memberSid} post={post} open={step === 'delete'} onClose={close} onDeleted={onGone} />}
      {wasOpened && memberSid !== null && !post.isMine && (
        <Moderation
          memberSid={memberSid}
          step={step === 'report' || step === 'block' ? step : null}
          target={{ kind: 'POST', sid: post.sid }}
          author={{ userSid: post.writerId, nickname: post.nickname }}
          onClose={close}
          onBlocked={onGone}
        />
      )}
    </>
  );
}

function OwnActions({ post, isDetail, onDelete }: { post: Post; isDetail: boolean; onDelete: () => void }) {
  const navigate = useNavigateFromOverlay();
  return (
    <ul>
      <Action onSelect={() => navigate(editPostHref(post.sid), isDetail ? { state: FROM_DETAIL } : {})}>{givenLater.edit}</Action>
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
