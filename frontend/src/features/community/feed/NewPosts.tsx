import { useQuery } from '@tanstack/react-query';
import styles from './Feed.module.css';
import { newCountQuery } from '@/features/community/feedQueries';
import { communityCopy } from '@/features/community/copy';
import type { Category } from '@/features/community/types';

interface NewPostsProps {
  memberSid: number | null;
  category: Category;
  /** The newest post that is shown. */
  newestSid: number;
  onShow: () => void;
}

/** Says that there are newer posts. The list itself never moves while somebody reads. */
export function NewPosts({ memberSid, category, newestSid, onShow }: NewPostsProps) {
  const { data } = useQuery(newCountQuery(memberSid, category, newestSid));
  return (
    <div className={styles.pillPlace} role="status">
      {data.count > 0 && (
        <button type="button" className={styles.pill} onClick={onShow}>
          {communityCopy.newPosts(data.count)}
        </button>
      )}
    </div>
  );
}
