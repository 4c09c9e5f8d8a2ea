import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { undoRemoval, useRemoval } from '@/features/community/commentRemoval';
import styles from './Detail.module.css';
import { rowsOf } from '@/features/community/queryParts';
import { detailCopy } from '@/features/community/copy.detail';
import type { CommentPage, Post } from '@/features/community/types';
import { givenLater } from '@/shared/copy/copy.given.later';
import { unitless } from '@/shared/format/number';
import { Button } from '@/shared/ui/Button';
import { ErrorState } from '@/shared/ui/States';
import { CommentItem } from './CommentItem';
import { COMMENTS_HEADING, focusComment } from './commentFocus';
import { useShownComments } from './useShownComments';

interface CommentsProps {
  post: Post;
  query: Pick<UseInfiniteQueryResult<InfiniteData<CommentPage>>, 'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

/** The comments of a post, oldest first, with the way back to one that was just deleted. */
export function Comments({ post, query }: CommentsProps) {
  const { undoable } = useRemoval();
  const shownOf = useShownComments();
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const comments = shownOf(rowsOf(query.data.pages.map((page) => page.comments)));
  return (
    <section className={styles.comments} aria-labelledby={COMMENTS_HEADING}>
      <h2 id={COMMENTS_HEADING} tabIndex={-1} className={styles.commentsTitle}>
        {detailCopy.comments(unitless(post.commentCount))}
      </h2>
      {comments.length === 0 && !query.hasNextPage && <p className={styles.none}>{givenLater.noComments}</p>}
      <ol>
        {comments.map((comment) => (
          <li key={comment.sid}>
            <CommentItem comment={comment} />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <div className={styles.moreComments}>
          <Button tone="neutral" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {detailCopy.moreComments}
          </Button>
        </div>
      )}
      {undoable?.boardSid === post.sid && <RemovedRow sid={undoable.sid} />}
    </section>
  );
}

/** Keeps the undo within reach of those who do not get to the message in time; it goes with the message. */
function RemovedRow({ sid }: { sid: number }) {
  const restore = () => {
    undoRemoval();
    requestAnimationFrame(() => focusComment(sid));
  };
  return (
    <div className={styles.removedRow}>
      <p>{detailCopy.removedRow}</p>
      <Button tone="text" onClick={restore}>
        {detailCopy.restore}
      </Button>
    </div>
  );
}
