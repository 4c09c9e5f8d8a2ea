import { Link } from 'react-router';
import { unitless } from '@/shared/format/number';
import { Count } from './Count';
import styles from './Community.module.css';
import { postHref } from './communityPaths';
import { communityCopy, postCopy } from './copy';
import { TalkIcon } from '@/shared/ui/icons';
import { LikeButton } from './LikeButton';
import type { Post } from './types';
import { useLikePost } from './useLikePost';

export function CategoryLabel({ category }: Pick<Post, 'category'>) {
  return <p className={styles.category}>{communityCopy.category[category]}</p>;
}

/** The likes and comments of a post; the comments lead to its detail. */
export function Counts({ post }: { post: Post }) {
  const like = useLikePost();
  return (
    <div className={styles.counts}>
      <LikeButton isLike={post.isLike} likeCount={post.likeCount} onToggle={() => like(post)} />
      <Link to={postHref(post.sid)} className={styles.count}>
        <TalkIcon size={22} />
        <Count value={post.commentCount} spoken={postCopy.comments(unitless(post.commentCount))} />
      </Link>
    </div>
  );
}
