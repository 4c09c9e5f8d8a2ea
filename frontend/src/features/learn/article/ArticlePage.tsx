import { useQuery } from '@tanstack/react-query';
import { isProblem } from '@/shared/api/apiProblem';
import { useMemberSid } from '@/shared/api/session';
import { MissingState } from '@/shared/ui/MissingState';
import { learnPaths } from '@/features/learn/learnPaths';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { articleQuery } from '@/features/learn/learnQueries';
import styles from './Article.module.css';
import { ArticleReader } from './ArticleReader';
import { articleCopy } from './copy';

const SKELETON_LINES = 8;

/** Visitors read it, too; they earn nothing. */
export function ArticlePage({ articleSid }: { articleSid: string }) {
  const memberSid = useMemberSid();
  const { data, error, refetch } = useQuery(articleQuery(memberSid, articleSid));
  if (data) return <ArticleReader key={articleSid} article={data} memberSid={memberSid} />;
  const isUnknown = isProblem(error, 'STUDY_NOT_FOUND');
  return (
    <>
      <TopBar title={articleCopy.screen} backTo={learnPaths.articles} />
      <main id="main">
        {isUnknown && (
          <MissingState title={articleCopy.unknown} to={learnPaths.articles} />
        )}
        {!isUnknown && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ReaderSkeleton />)}
      </main>
    </>
  );
}

function ReaderSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.skeleton}>
        <Bone width="50%" height={18} />
        <Bone width="85%" height={32} />
        <Bone width="100%" height={209} radius={16} />
        {Array.from({ length: SKELETON_LINES }, (_, line) => (
          <Bone key={line} width={line % 4 === 3 ? '60%' : '100%'} height={18} />
        ))}
      </div>
    </div>
  );
}
