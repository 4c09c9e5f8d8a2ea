import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import styles from './Editor.module.css';
import { communityPaths } from '@/features/community/communityPaths';
import { commentQuery, postQuery } from '@/features/community/detailQueries';
import { categoryOfTag } from '@/features/community/itemOfTag';
import { editorCopy } from '@/features/community/copy.editor';
import { isGone, MissingPost } from '@/features/community/detail/MissingPost';
import type { Comment, Post } from '@/features/community/types';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { Editor, type EditorProps, type PickerProps } from './Editor';
import { NOTHING, type Writing } from './writing';
import type { WritingMode } from './writingMode';

interface EditorPageProps {
  memberSid: number;
  mode: WritingMode;
  /** Finds an instrument to tag. */
  pickerOf: (props: PickerProps) => ReactNode;
}

/** The editor of posts, comments and replies. */
export function EditorPage(props: EditorPageProps) {
  const { mode } = props;
  switch (mode.kind) {
    case 'post':
      return <Editor {...props} begin={beginOf(mode.about)} about={null} parent={null} boardSid={null} />;
    case 'editPost':
      return <OnPost {...props} sid={mode.sid} propsOf={ofOwnPost} />;
    case 'comment':
      return <OnPost {...props} sid={mode.boardSid} propsOf={underPost} />;
    case 'editComment':
      return <OnComment {...props} sid={mode.sid} propsOf={ofOwnComment} />;
    case 'reply':
      return <OnComment {...props} sid={mode.commentSid} propsOf={underComment} />;
  }
}

function beginOf(item: { code: string; name: string } | null): Writing {
  return item === null ? NOTHING : { ...NOTHING, category: categoryOfTag(item.code), tags: [item] };
}

/** What the editor needs of the text it works on; null when the member may not. */
type Basis = Pick<EditorProps, 'begin' | 'about' | 'parent' | 'boardSid'> | null;

function ofOwnPost({ isMine, content, category, tags, images, sid }: Post): Basis {
  if (!isMine) return null;
  const begin: Writing = { content, category, tags, showsHeld: tags.some(({ isHeld }) => isHeld), pictures: images };
  return { begin, about: null, parent: null, boardSid: sid };
}

function underPost({ nickname, content, sid }: Post): Basis {
  return { begin: NOTHING, about: { nickname, content }, parent: null, boardSid: sid };
}

function ofOwnComment({ isMine, content, images, boardSid }: Comment): Basis {
  return isMine ? { begin: { ...NOTHING, content, pictures: images }, about: null, parent: null, boardSid } : null;
}

function underComment(comment: Comment): Basis {
  if (comment.isDeleted || comment.isBlocked) return null;
  const { userNickName: nickname, content, boardSid } = comment;
  return { begin: NOTHING, about: { nickname, content }, parent: comment, boardSid };
}

function OnPost({ sid, propsOf, ...props }: EditorPageProps & { sid: number; propsOf: (post: Post) => Basis }) {
  const { data, error, refetch } = useQuery(postQuery(props.memberSid, sid));
  return <Loaded {...props} basis={data && propsOf(data)} error={error} onRetry={() => void refetch()} />;
}

function OnComment({ sid, propsOf, ...props }: EditorPageProps & { sid: number; propsOf: (comment: Comment) => Basis }) {
  const { data, error, refetch } = useQuery(commentQuery(props.memberSid, sid));
  return <Loaded {...props} basis={data && propsOf(data)} error={error} onRetry={() => void refetch()} />;
}

interface LoadedProps extends EditorPageProps {
  /** Undefined while it is loading. */
  basis: Basis | undefined;
  error: unknown;
  onRetry: () => void;
}

function Loaded({ basis, error, onRetry, ...props }: LoadedProps) {
  if (basis) return <Editor {...props} {...basis} />;
  return (
    <>
      <TopBar title={editorCopy.titles[props.mode.kind]} backTo={communityPaths.home} />
      <main id="main">{basis === null || isGone(error) ? <MissingPost error={error} /> : error ? <ErrorState error={error} onRetry={onRetry} /> : <FieldSkeleton />}</main>
    </>
  );
}

function FieldSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <div aria-hidden="true">
        <Bone width="100%" height={200} radius={12} />
      </div>
    </div>
  );
}
