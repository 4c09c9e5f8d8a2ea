import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Author } from '@/features/community/Author';
import { useCommitOnLeave } from '@/features/community/commentRemoval';
import styles from '@/features/community/Community.module.css';
import detail from './Detail.module.css';
import { commentHref } from '@/features/community/communityPaths';
import { commentsQuery, postQuery } from '@/features/community/detailQueries';
import { communityCopy, postCopy } from '@/features/community/copy';
import { lastFeedHref } from '@/features/community/feed/feedAddress';
import { CategoryLabel, Counts } from '@/features/community/PostParts';
import { PostMenu } from '@/features/community/PostMenu';
import { StatusNotice } from '@/features/community/StatusNotice';
import { TagChips } from '@/features/community/TagChips';
import { Thumbs } from '@/features/community/Thumbs';
import type { Post } from '@/features/community/types';
import { useAfterOverlays } from '@/features/community/useAfterOverlays';
import { authorOfPost } from '@/features/community/written';
import { useMemberSid } from '@/shared/api/session';
import { givenLater } from '@/shared/copy/copy.given.later';
import { state } from '@/shared/copy/copy.shared';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button, ButtonLink } from '@/shared/ui/Button';
import { Spinner } from '@/shared/ui/Spinner';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { Comments } from './Comments';
import { isGone, MissingPost } from './MissingPost';
import { TextWithTags } from './TextWithTags';

/** A post with its comments. Back leads to the list, wherever the post was opened from. */
export function DetailPage({ sid }: { sid: number | null }) {
  const navigate = useNavigate();
  const goToList = () => void navigate(lastFeedHref(), { replace: true, state: { keepsScroll: true } });
  return (
    <>
      <TopBar title={communityCopy.screen} backTo={lastFeedHref()} onBack={goToList} />
      <main id="main">{sid === null ? <MissingPost error={null} /> : <PostWithComments key={sid} sid={sid} onGone={goToList} />}</main>
    </>
  );
}

function PostWithComments({ sid, onGone }: { sid: number; onGone: () => void }) {
  const memberSid = useMemberSid();
  const post = useQuery({ ...postQuery(memberSid, sid), refetchOnWindowFocus: 'always' });
  const comments = useInfiniteQuery({ ...commentsQuery(memberSid, sid), refetchOnWindowFocus: 'always' });
  const afterOverlays = useAfterOverlays();
  useCommitOnLeave();
  if (isGone(post.error)) return <MissingPost error={post.error} />;
  if (!post.data) {
    if (post.isPending && post.fetchStatus !== 'paused') return <Loading />;
    return <ErrorState error={post.error} onRetry={() => void post.refetch()} />;
  }
  return (
    <>
      <PostArticle post={post.data} onGone={() => afterOverlays(onGone)} />
      {comments.isPending && comments.fetchStatus !== 'paused' ? <Loading /> : <Comments post={post.data} query={comments} />}
      <WriteComment sid={sid} />
    </>
  );
}

function Loading() {
  return (
    <div className={detail.loading} role="status">
      <Spinner />
      <span className="sr-only">{state.loading}</span>
    </div>
  );
}

function PostArticle({ post, onGone }: { post: Post; onGone: () => void }) {
  const id = `post-${post.sid}`;
  return (
    <article className={styles.post} aria-labelledby={id}>
      <header className={styles.cardHead}>
        <Author of={authorOfPost(post)} id={id} heading="h2" />
        <PostMenu post={post} onGone={onGone} />
      </header>
      <CategoryLabel category={post.category} />
      <StatusNotice status={post.status} text={{ kind: 'POST', sid: post.sid }} />
      <TextWithTags content={post.content} tags={post.tags} />
      <Thumbs images={post.images} nickname={post.nickname} isInView />
      <TagChips tags={post.tags} isLive />
      {post.tags.length > 0 && <p className={styles.meta}>{postCopy.noAdvice}</p>}
      <Counts post={post} />
    </article>
  );
}

/** A visitor comes to the editor by the login. */
function WriteComment({ sid }: { sid: number }) {
  const isOnline = useIsOnline();
  const helperId = 'write-comment-helper';
  return (
    <BottomCTA helper={isOnline ? null : state.offlineBlocked} helperId={helperId}>
      {isOnline ? (
        <ButtonLink to={commentHref(sid)} size="large" block>
          {givenLater.writeComment}
        </ButtonLink>
      ) : (
        <Button size="large" block disabled describedBy={helperId}>
          {givenLater.writeComment}
        </Button>
      )}
    </BottomCTA>
  );
}
