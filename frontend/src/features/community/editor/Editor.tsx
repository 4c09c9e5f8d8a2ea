import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { postHref } from '@/features/community/communityPaths';
import { communityPaths } from '@/features/community/communityPaths';
import { postCopy } from '@/features/community/copy';
import { editorCopy } from '@/features/community/copy.editor';
import { standingQuery } from '@/features/community/decisionsQueries';
import type { Comment } from '@/features/community/types';
import { useAfterOverlays } from '@/features/community/useAfterOverlays';
import { photosCopy } from '@/features/community/copy.photos';
import { state } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { Dialog } from '@/shared/ui/Dialog';
import { useOverlayEntry } from '@/shared/ui/overlayHistory';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { CategoryField } from './CategoryField';
import { ContentField } from './ContentField';
import styles from './Editor.module.css';
import { SanctionNotice } from './SanctionNotice';
import { discardPhoto } from './photos/photoApi';
import { PhotoField } from './photos/PhotoField';
import { type Upload, usePhotos } from './photos/usePhotos';
import { TagField } from './TagField';
import { useDraft } from './useDraft';
import { type Sent, useSubmit } from './useSubmit';
import { type DraftPicture, isSame, type Writing } from './writing';
import { draftNameOf, isPostMode, lengthOf, limitOf, mostPhotosOf, type WritingMode } from './writingMode';

export interface PickerProps {
  open: boolean;
  /** What was typed after `$`. */
  text: string;
  onPick: (item: { code: string; name: string }) => void;
  onClose: () => void;
}

export interface EditorProps {
  memberSid: number;
  mode: WritingMode;
  pickerOf: (props: PickerProps) => ReactNode;
  /** The text before anything is changed. */
  begin: Writing;
  /** What a comment or reply answers. */
  about: { nickname: string; content: string } | null;
  /** The comment or reply that is replied to. */
  parent: Comment | null;
  /** The post that a comment belongs to; null for a new post. */
  boardSid: number | null;
}

export function Editor({ memberSid, mode, pickerOf, begin, about, parent, boardSid }: EditorProps) {
  const problemId = useId();
  const sanctionId = useId();
  const isOnline = useIsOnline();
  const { writing, setWriting, isRestored, discard, isShared, saveToSend, forgetAttempt, finish } = useDraft(memberSid, draftNameOf(mode), begin);
  const [isChecked, setChecked] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const sanction = useQuery(standingQuery(memberSid)).data?.sanction ?? null;
  const isSuspended = sanction?.isActive === true;
  const [described, setDescribed] = useState<string | null>(null);
  // Uploaded here and not sent from here since.
  const unsent = useRef(new Set<string>());
  const photos = usePhotos((picture) => {
    unsent.current.add(picture.url);
    setWriting({ pictures: [...writing.pictures, picture] });
    setDescribed(picture.url);
  });
  const leave = useLeave(mode, boardSid);
  const length = lengthOf(writing.content);
  const limit = limitOf(mode);
  const isChanged = !isSame(writing, begin);
  const { submit, isSending, failure } = useSubmit(memberSid, mode, parent, {
    onSent: (sent) => {
      finish();
      setLeaving(true);
      showSnackbar(doneText(mode, sent));
      leave.toSent(sent.boardSid);
    },
    onSpent: forgetAttempt,
  });
  // Back asks first: the unsaved text owns a history entry, as an overlay does.
  useOverlayEntry(isChanged && !isLeaving, () => setAsking(true));

  const send = () => {
    setChecked(true);
    if (length === 0 || length > limit || !isOnline || isSuspended || photos.uploads.length > 0) return;
    unsent.current.clear();
    submit(writing, saveToSend());
  };
  const leaveNow = () => {
    setAsking(false);
    setLeaving(true);
    leave.back();
  };

  const removePicture = (picture: DraftPicture) => {
    setWriting({ pictures: writing.pictures.filter(({ url }) => url !== picture.url) });
    // At once the server takes a picture out of a text, too, and a text whose reply was lost, or that another tab has sent, may be
    // published with those of its draft. All others leave their text when it is saved, or are removed once no text has had them for a week.
    if (unsent.current.has(picture.url) && !isShared()) void discardPhoto(picture.url);
  };

  const problem = problemOf({ isOnline, isEmpty: isChecked && length === 0, unfinished: isChecked ? unfinishedText(photos.uploads) : null, failure });
  const isPost = isPostMode(mode);
  return (
    <>
      <TopBar
        title={editorCopy.titles[mode.kind]}
        backTo={communityPaths.home}
        {...(isChanged && { onBack: () => setAsking(true) })}
        actions={
          <Button tone="text" busy={isSending} disabled={!isOnline || length > limit || isSuspended} describedBy={isSuspended ? `${problemId} ${sanctionId}` : problemId} onClick={send}>
            {mode.kind === 'editPost' || mode.kind === 'editComment' ? editorCopy.save : editorCopy.submit}
          </Button>
        }
      />
      <main id="main" className={styles.page}>
        <p id={problemId} role="alert" className={styles.problem}>
          {problem}
        </p>
        <div id={sanctionId}>{sanction && <SanctionNotice sanction={sanction} />}</div>
        {isRestored && <RestoreBar onDiscard={discard} />}
        {about && (
          <blockquote className={styles.quote} aria-label={editorCopy.quote}>
            <p className={styles.quoteName}>{about.nickname}</p>
            <p className={styles.quoteText}>{about.content}</p>
          </blockquote>
        )}
        {isPost && <CategoryField value={writing.category} onChange={(category) => setWriting({ category })} />}
        <ContentField
          value={writing.content}
          length={length}
          limit={limit}
          placeholder={editorCopy.placeholders[mode.kind]}
          onChange={(content) => setWriting({ content })}
        />
        <PhotoField
          pictures={writing.pictures}
          most={mostPhotosOf(mode)}
          uploads={photos.uploads}
          onChange={(pictures) => setWriting({ pictures })}
          onRemove={removePicture}
          onAdd={photos.add}
          onRetry={photos.retry}
          onDrop={photos.drop}
          described={described}
          onDescribe={setDescribed}
        />
        {isPost && <TagField writing={writing} onChange={setWriting} pickerOf={pickerOf} />}
      </main>
      <Dialog
        open={isAsking}
        title={editorCopy.leave}
        body={editorCopy.leaveBody}
        closeLabel={editorCopy.stay}
        onClose={() => setAsking(false)}
        confirm={{ label: editorCopy.leaveAction, onClick: leaveNow }}
      />
    </>
  );
}

function RestoreBar({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={styles.restored} role="status">
      <p>{editorCopy.restored}</p>
      <Button tone="text" onClick={onDiscard}>
        {editorCopy.discard}
      </Button>
    </div>
  );
}

/** The ways out of the editor. The detail behind it is returned to, not opened a second time. */
function useLeave(mode: WritingMode, boardSid: number | null) {
  const navigate = useNavigate();
  const entry: unknown = useLocation().state;
  const afterOverlays = useAfterOverlays();
  const isFromDetail = typeof entry === 'object' && entry !== null && 'fromDetail' in entry;
  const isDetailBehind = !isPostMode(mode) || isFromDetail;
  const replace = (to: string) => void navigate(to, { replace: true });
  return {
    back: () =>
      afterOverlays((isFirst) => {
        if (isFirst) replace(boardSid === null ? communityPaths.home : postHref(boardSid));
        else void navigate(-1);
      }),
    toSent: (sid: number) =>
      afterOverlays((isFirst) => {
        if (isFirst || !isDetailBehind) replace(postHref(sid));
        else void navigate(-1);
      }),
  };
}

function doneText(mode: WritingMode, { status }: Sent): string {
  if (status === 'HELD') return postCopy.held;
  switch (mode.kind) {
    case 'post':
      return editorCopy.posted;
    case 'comment':
      return editorCopy.commented;
    case 'reply':
      return editorCopy.replied;
    case 'editPost':
    case 'editComment':
      return editorCopy.edited;
  }
}

interface Problems {
  isOnline: boolean;
  isEmpty: boolean;
  unfinished: string | null;
  failure: string | null;
}

function problemOf({ isOnline, isEmpty, unfinished, failure }: Problems): string | null {
  if (!isOnline) return state.offlineBlocked;
  return isEmpty ? editorCopy.emptyText : (unfinished ?? failure);
}

function unfinishedText(uploads: readonly Upload[]): string | null {
  if (uploads.length === 0) return null;
  return uploads.some(({ problem }) => problem === null) ? photosCopy.wait : photosCopy.unfinished;
}
