import { ArticleList } from '@/features/learn/article/ArticleList';
import { LearnHome } from '@/features/learn/home/LearnHome';
import { useMemberSid } from '@/shared/api/session';

/** The tab of learning: its home and the list of articles. */
export default function LearnRoute({ screen }: { screen: 'home' | 'articles' }) {
  const memberSid = useMemberSid();
  if (screen === 'articles') return <ArticleList />;
  return memberSid === null ? null : <LearnHome memberSid={memberSid} />;
}
