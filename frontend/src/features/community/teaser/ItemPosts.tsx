import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { itemPostsHref, postHref, writeAboutHref } from '@/features/community/communityPaths';
import { itemPostsQuery } from '@/features/community/itemPostsQuery';
import { useRecentBlocks } from '@/features/community/recentBlocks';
import { postCopy } from '@/features/community/copy';
import { teaserCopy } from '@/features/community/copy.teaser';
import type { Post } from '@/features/community/types';
import { useMemberSid } from '@/shared/api/session';
import { unitless } from '@/shared/format/number';
import { ButtonLink } from '@/shared/ui/Button';
import { Section, SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import styles from './ItemPosts.module.css';

const SHOWN = 3;

/** The newest posts about an instrument, on its detail. */
export default function ItemPosts({ code, name }: { code: string; name: string }) {
  const memberSid = useMemberSid();
  const { data, error, refetch } = useQuery(itemPostsQuery(memberSid, code, SHOWN));
  const blocks = useRecentBlocks();
  const posts = data?.posts.filter(({ writerId }) => !blocks.has(writerId)).slice(0, SHOWN);
  return (
    <Section title={teaserCopy.item} {...(posts && posts.length > 0 && { all: itemPostsHref(code) })}>
      {posts && posts.length > 0 && (
        <ul>
          {posts.map((post) => (
            <li key={post.sid}>
              <Row post={post} />
            </li>
          ))}
        </ul>
      )}
      {posts?.length === 0 && (
        <div className={styles.none}>
          <p>{teaserCopy.itemEmpty}</p>
          <ButtonLink to={writeAboutHref(code, name)} tone="tint">
            {teaserCopy.itemEmptyAction}
          </ButtonLink>
        </div>
      )}
      {!posts && (error ? <SectionError onRetry={() => void refetch()} /> : <PostsSkeleton />)}
      <p className={styles.note}>{postCopy.noAdvice}</p>
    </Section>
  );
}

function Row({ post }: { post: Post }) {
  return (
    <Link to={postHref(post.sid)} className={styles.row}>
      <span className={styles.name}>{post.nickname}</span>
      <span className={styles.text}>{post.content}</span>
      <span className={styles.meta}>
        {postCopy.likes(unitless(post.likeCount))} · {postCopy.comments(unitless(post.commentCount))}
      </span>
    </Link>
  );
}

function PostsSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true">
        {Array.from({ length: SHOWN }, (_, index) => (
          <span key={index} className={styles.row}>
            <Bone width={96} height={18} />
            <Bone width="80%" height={20} />
            <Bone width={120} height={16} />
          </span>
        ))}
      </div>
    </div>
  );
}
