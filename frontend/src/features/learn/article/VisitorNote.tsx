import { loginHref } from '@/shared/paths';
import { articleHref } from '@/features/learn/learnPaths';
import { ButtonLink } from '@/shared/ui/Button';
import { learnCopy } from '@/features/learn/copy';
import type { Article } from '@/features/learn/learnTypes';
import { Related } from './Related';
import styles from './Article.module.css';
import { articleCopy } from './copy';

/** What a visitor sees in place of completing an article. */
export function VisitorNote({ article }: { article: Article }) {
  return (
    <>
      <div className={styles.visitor}>
        <p>{articleCopy.visitor}</p>
        <ButtonLink to={loginHref(articleHref(article.articleSid))} tone="neutral">
          {learnCopy.login}
        </ButtonLink>
      </div>
      <Related articles={article.related} />
    </>
  );
}
