import { useQuery } from '@tanstack/react-query';
import { Section, SectionError } from '@/shared/ui/Section';
import { ArticleRows } from '@/features/learn/article/ArticleRows';
import { learnPaths } from '@/features/learn/learnPaths';
import { recommendedQuery } from '@/features/learn/learnQueries';
import { learnHomeCopy } from './copy';
import { LearnRowsSkeleton } from './LearnRowsSkeleton';

/** The first page of recommendations, as the interface gives it. */
const RECOMMENDED = 10;

interface ArticlesSectionProps {
  memberSid: number;
  shown: number;
  /** Whether nothing is drawn where there is nothing to read. */
  hidesEmpty?: boolean;
}

/** Articles to read next. */
export function ArticlesSection({ memberSid, shown, hidesEmpty = false }: ArticlesSectionProps) {
  const { data, error, refetch } = useQuery(recommendedQuery(memberSid, RECOMMENDED));
  const articles = data?.rows.slice(0, shown);
  if (hidesEmpty && articles?.length === 0) return null;
  return (
    <Section title={learnHomeCopy.articles} all={learnPaths.articles}>
      {articles && <ArticleRows articles={articles} />}
      {!articles && (error ? <SectionError onRetry={() => void refetch()} /> : <LearnRowsSkeleton rows={shown} />)}
    </Section>
  );
}
