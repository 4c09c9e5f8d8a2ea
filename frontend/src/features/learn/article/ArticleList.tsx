import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { SearchIcon } from '@/shared/ui/icons';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { Tabs } from '@/shared/ui/Tabs';
import { TopBar, TopBarButton } from '@/shared/ui/TopBar';
import type { ReadingState } from '@/features/learn/learnApi';
import { articlesQuery } from '@/features/learn/learnQueries';
import { ArticleCard, CardsSkeleton } from './ArticleCard';
import styles from './ArticleList.module.css';
import { ArticleSearchEntry } from './ArticleSearchEntry';
import { articleCopy } from './copy';

const STATES: readonly ReadingState[] = ['no-complete', 'history'];
const TABS = STATES.map((value) => ({ value, label: articleCopy.tab[value] }));
const PANEL_ID = 'articles';

/** The articles that are not read yet and those that are, newest first. */
export function ArticleList() {
  const memberSid = useMemberSid();
  const [params, setParams] = useSearchParams();
  const [isSearching, setSearching] = useState(false);
  const shown = STATES.find((known) => known === params.get('tab')) ?? 'no-complete';
  return (
    <>
      <TopBar
        title={articleCopy.list}
        backTo={paths.learn}
        actions={
          <TopBarButton label={articleCopy.search} onClick={() => setSearching(true)}>
            <SearchIcon />
          </TopBarButton>
        }
      />
      <main id="main">
        {memberSid !== null && (
          <div className={styles.tabs}>
            <Tabs label={articleCopy.tabs} options={TABS} value={shown} panelId={PANEL_ID} onChange={(tab) => setParams({ tab }, { replace: true })} />
          </div>
        )}
        <Panel isTabbed={memberSid !== null} label={articleCopy.tab[shown]}>
          <Cards key={shown} memberSid={memberSid} state={shown} />
        </Panel>
      </main>
      <ArticleSearchEntry open={isSearching} onClose={() => setSearching(false)} />
    </>
  );
}

function Panel({ isTabbed, label, children }: { isTabbed: boolean; label: string; children: ReactNode }) {
  if (!isTabbed) return <div>{children}</div>;
  return (
    <div id={PANEL_ID} role="tabpanel" aria-label={label}>
      {children}
    </div>
  );
}

function Cards({ memberSid, state }: { memberSid: number | null; state: ReadingState }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(articlesQuery(memberSid, state));
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <CardsSkeleton />;
  const articles = data.pages.flatMap(({ rows }) => rows);
  if (articles.length === 0) return <EmptyState title={state === 'history' ? articleCopy.noneRead : articleCopy.allRead} />;
  return (
    <>
      <ul>
        {articles.map((article) => (
          <li key={article.articleSid}>
            <ArticleCard article={article} />
          </li>
        ))}
      </ul>
      <InfiniteFooter hasMore={hasNextPage} isLoading={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </>
  );
}
