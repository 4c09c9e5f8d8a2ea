import { Link } from 'react-router';
import { Author } from '@/features/community/Author';
import { Clamped } from '@/features/community/Clamped';
import styles from '@/features/community/Community.module.css';
import { postHref } from '@/features/community/communityPaths';
import { CategoryLabel, Counts } from '@/features/community/PostParts';
import { PostMenu } from '@/features/community/PostMenu';
import { StatusNotice } from '@/features/community/StatusNotice';
import { TagChips } from '@/features/community/TagChips';
import { Thumbs } from '@/features/community/Thumbs';
import type { Post } from '@/features/community/types';
import { authorOfPost } from '@/features/community/written';

/** A post in a list. All of it but its controls leads to its detail. */
export function PostCard({ post, isInView = false }: { post: Post; isInView?: boolean }) {
  const id = `post-${post.sid}`;
  return (
    <article className={styles.card} aria-labelledby={id}>
      <header className={styles.cardHead}>
        <Author of={authorOfPost(post)} id={id} heading="h3" />
        <PostMenu post={post} />
      </header>
      <CategoryLabel category={post.category} />
      <StatusNotice status={post.status} />
      <Clamped toggleLabelledBy={id}>
        <Link to={postHref(post.sid)} className={styles.textLink}>
          {post.content}
        </Link>
      </Clamped>
      <Thumbs images={post.images} nickname={post.nickname} isInView={isInView} />
      <TagChips tags={post.tags} />
      <Counts post={post} />
    </article>
  );
}
