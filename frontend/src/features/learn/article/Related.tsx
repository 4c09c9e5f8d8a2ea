import { Section } from '@/shared/ui/Section';
import type { ArticleCardData } from '@/features/learn/learnTypes';
import { ArticleRow } from './ArticleRow';
import { articleCopy } from './copy';

export function Related({ articles }: { articles: readonly ArticleCardData[] }) {
  if (articles.length === 0) return null;
  return (
    <Section title={articleCopy.related}>
      <ul>
        {articles.map((article) => (
          <li key={article.articleSid}>
            <ArticleRow article={article} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
