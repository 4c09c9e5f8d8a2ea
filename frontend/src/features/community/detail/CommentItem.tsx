import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Author } from '@/features/community/Author';
import { removeComment } from '@/features/community/commentRemoval';
import styles from '@/features/community/Community.module.css';
import detail from './Detail.module.css';
import { editCommentHref, NOBODY, replyHref } from '@/features/community/communityPaths';
import { hasRepliedTo } from '@/features/community/ownReplies';
import { rowsOf } from '@/features/community/queryParts';
import { answersQuery } from '@/features/community/detailQueries';
import { postCopy } from '@/features/community/copy';
import { detailCopy } from '@/features/community/copy.detail';
import { LikeButton } from '@/features/community/LikeButton';
import type { ModerationStep } from '@/features/community/Moderation';
import { PopupMenu } from '@/features/community/PopupMenu';
import { StatusNotice } from '@/features/community/StatusNotice';
import { Thumbs } from '@/features/community/Thumbs';
import type { Comment } from '@/features/community/types';
import { useLikeComment } from './useLikeComment';
import { authorOfComment } from '@/features/community/written';
import { useMemberSid } from '@/shared/api/session';
import { givenLater } from '@/shared/copy/copy.given.later';
import { Button } from '@/shared/ui/Button';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { requireMember } from '@/shared/ui/signInPrompt';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import { focusAfterRemoval, headingIdOf } from './commentFocus';
import { useShownComments } from './useShownComments';

const Moderation = lazy(() => import(/* webpackChunkName: "community-menus" */ '@/features/community/Moderation').then(({ Moderation: Loaded }) => ({ default: Loaded })));

const [REMOVE = '', EDIT = ''] = givenLater.commentMenu.split('/');

/** A comment with its replies. */
export function CommentItem({ comment }: { comment: Comment }) {
  return (
    <>
      <OneComment comment={comment} heading="h3" />
      {comment.answerCount > 0 && <Answers comment={comment} />}
    </>
  );
}

function OneComment({ comment, heading }: { comment: Comment; heading: 'h3' | 'h4' }) {
  const like = useLikeComment();
  const id = headingIdOf(comment.sid);
  if (comment.isDeleted || comment.isBlocked) return <p className={detail.tombstone}>{comment.content}</p>;
  return (
    <article className={detail.comment} aria-labelledby={id}>
      <header className={styles.cardHead}>
        <Author of={authorOfComment(comment)} id={id} heading={heading} size={32} />
        <CommentMenu comment={comment} />
      </header>
      <StatusNotice status={comment.status} text={{ kind: 'COMMENT', sid: comment.sid }} />
      <p className={styles.text}>
        {comment.tagUserNickName && <span className={detail.tagged}>{detailCopy.tagged(comment.tagUserNickName)} </span>}
        {comment.content}
      </p>
      <Thumbs images={comment.images} nickname={comment.userNickName} />
      <div className={styles.counts}>
        <LikeButton isLike={comment.isLike} likeCount={comment.likeCount} onToggle={() => like(comment)} />
        <Link to={replyHref(comment.sid)} className={detail.replyLink} aria-describedby={id}>
          {givenLater.reply}
        </Link>
      </div>
    </article>
  );
}

/** The own comment is deleted or edited; that of another reported, or its author blocked. */
function CommentMenu({ comment }: { comment: Comment }) {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  const navigate = useNavigateFromOverlay();
  const { pathname, search } = useLocation();
  const [step, setStep] = useState<ModerationStep | null>(null);
  const wasOpened = useWasOpened(step !== null);
  const label = postCopy.commentMenu(comment.userNickName);
  if (comment.isMine && memberSid !== null) {
    const remove = () => {
      focusAfterRemoval(comment.sid);
      removeComment(queryClient, memberSid, comment);
    };
    return (
      <PopupMenu
        label={label}
        items={[
          { label: REMOVE, onSelect: remove, isDanger: true },
          { label: EDIT, onSelect: () => navigate(editCommentHref(comment.sid)) },
        ]}
      />
    );
  }
  if (comment.isOperator) return null;
  const moderate = (next: ModerationStep) => {
    if (requireMember(pathname + search)) setStep(next);
  };
  return (
    <>
      <PopupMenu
        label={label}
        items={[
          { label: postCopy.report, onSelect: () => moderate('report') },
          ...(comment.userSid === NOBODY ? [] : [{ label: postCopy.block, onSelect: () => moderate('block') }]),
        ]}
      />
      {wasOpened && memberSid !== null && (
        <Suspense fallback={null}>
          <Moderation
            memberSid={memberSid}
            step={step}
            target={{ kind: 'COMMENT', sid: comment.sid }}
            author={{ userSid: comment.userSid, nickname: comment.userNickName }}
            onClose={() => setStep(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The first replies come with their comment, the others when they are asked for. */
function Answers({ comment }: { comment: Comment }) {
  const memberSid = useMemberSid();
  const shownOf = useShownComments();
  const [showsLast] = useState(() => hasRepliedTo(comment.sid));
  const [isOpen, setOpen] = useState(showsLast);
  const { data, isFetching, hasNextPage, fetchNextPage, error, refetch } = useInfiniteQuery({ ...answersQuery(memberSid, comment.sid), enabled: isOpen });
  const answers = rowsOf([comment.answers, ...(data?.pages.map((page) => page.answers) ?? [])]);
  const missing = comment.answerCount - answers.length;
  const isComplete = data !== undefined && !hasNextPage;
  useEffect(() => {
    if (showsLast && hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [showsLast, hasNextPage, isFetching, error, fetchNextPage]);
  const showMore = () => {
    if (!isOpen) setOpen(true);
    else if (error) void refetch();
    else void fetchNextPage();
  };
  return (
    <>
      <ol className={detail.answers}>
        {shownOf(answers).map((answer) => (
          <li key={answer.sid}>
            <OneComment comment={answer} heading="h4" />
          </li>
        ))}
      </ol>
      {missing > 0 && !isComplete && (
        <div className={detail.moreAnswers}>
          <Button tone="text" busy={isFetching} onClick={showMore}>
            {detailCopy.moreAnswers(missing)}
          </Button>
        </div>
      )}
    </>
  );
}
