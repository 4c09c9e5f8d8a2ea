import { lazy, Suspense, useState } from 'react';
import { MoreIcon } from '@/shared/ui/laterIcons';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import styles from './Community.module.css';
import { postCopy } from './copy';
import type { Post } from './types';

// Nobody opens a menu before reading.
const PostActions = lazy(() => import(/* webpackChunkName: "community-menus" */ './PostActions').then(({ PostActions: Loaded }) => ({ default: Loaded })));

interface PostMenuProps {
  post: Post;
  /** Called when the post is no longer there for the member: deleted, or its author blocked. */
  onGone?: (() => void) | undefined;
}

/** What can be done with a post: by its author, or by others. Nothing with the operator's. */
export function PostMenu({ post, onGone }: PostMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  if (post.isOperator && !post.isMine) return null;
  return (
    <>
      <button type="button" className={styles.menuButton} aria-haspopup="dialog" aria-label={postCopy.menu(post.nickname)} onClick={() => setOpen(true)}>
        <MoreIcon size={20} />
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <PostActions post={post} open={isOpen} onClose={() => setOpen(false)} onGone={onGone} />
        </Suspense>
      )}
    </>
  );
}
