import { Section } from '@/shared/ui/Section';
import type { ArticleCardData } from '@/features/learn/learnTypes';
import { ArticleRows } from './ArticleRows';
import { articleCopy } from './copy';

export function Related({ articles }: { articles: readonly ArticleCardData[] }) {
  if (articles.length === 0) return null;
  return (
    <Section title={articleCopy.related}>
      <ArticleRows articles={articles} />
    </Section>
  );
}
