import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import styles from './Feed.module.css';
import { communityPaths } from '@/features/community/communityPaths';
import { useRecentBlocks } from '@/features/community/recentBlocks';
import { rowsOf } from '@/features/community/queryParts';
import { type Feed, feedQuery, topQuery } from '@/features/community/feedQueries';
import { communityCopy } from '@/features/community/copy';
import { RefreshIcon } from '@/features/community/icons';
import type { PostPage } from '@/features/community/types';
import { useMemberSid } from '@/shared/api/session';
import { state } from '@/shared/copy/copy.shared';
import { Button, ButtonLink } from '@/shared/ui/Button';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { TopBar, TopBarButton } from '@/shared/ui/TopBar';
import { CardList } from './CardList';
import { CardsSkeleton } from './CardsSkeleton';
import { feedOf, rememberFeed, searchOf } from './feedAddress';
import { FeedFilters } from './FeedFilters';
import { NewPosts } from './NewPosts';
import { TopPosts } from './TopPosts';
import { usePullToRefresh } from './usePullToRefresh';
import { WriteButton } from './WriteButton';

const SKELETON_CARDS = 4;
const USUAL: Feed = { category: 'ALL', type: 'LATEST', code: null };

/** The tab of the community: what is written, newest first. */
export function FeedPage() {
  const memberSid = useMemberSid();
  const { search } = useLocation();
  const [params, setParams] = useSearchParams();
  const feed = feedOf(params, memberSid !== null);
  const { isRefreshing, refresh } = useRefresh(memberSid, feed);
  const indicator = usePullToRefresh(() => void refresh());
  useEffect(() => rememberFeed(search), [search]);
  const choose = (next: Feed) => setParams(searchOf(next), { replace: true });
  return (
    <>
      <TopBar
        title={communityCopy.screen}
        actions={
          <TopBarButton label={communityCopy.refresh} onClick={() => void refresh()}>
            <RefreshIcon />
          </TopBarButton>
        }
      />
      <main id="main">
        <div ref={indicator} className={styles.pulled} aria-hidden="true">
          <RefreshIcon />
        </div>
        <p className="sr-only" role="status">
          {isRefreshing && communityCopy.refreshing}
        </p>
        <FeedFilters feed={feed} isMember={memberSid !== null} onChange={choose} />
        <div className={styles.top}>{feed.type === 'LATEST' && <TopPosts memberSid={memberSid} category={feed.category} />}</div>
        <h2 className="sr-only">{communityCopy.posts}</h2>
        <Posts key={JSON.stringify(feed)} memberSid={memberSid} feed={feed} onShowNew={() => void refresh()} onChooseAll={() => choose(USUAL)} />
        <WriteButton />
      </main>
    </>
  );
}

/** Loads the newest page again; pages further down would only be loaded for nothing. */
function useRefresh(memberSid: number | null, feed: Feed) {
  const queryClient = useQueryClient();
  const [isRefreshing, setRefreshing] = useState(false);
  const refresh = async () => {
    const { queryKey } = feedQuery(memberSid, feed);
    queryClient.setQueryData<InfiniteData<PostPage, string | null>>(queryKey, (known) => known && { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) });
    window.scrollTo({ top: 0 });
    setRefreshing(true);
    void queryClient.invalidateQueries({ queryKey: topQuery(memberSid, feed.category).queryKey });
    await queryClient.refetchQueries({ queryKey });
    setRefreshing(false);
    if (queryClient.getQueryState(queryKey)?.status === 'error') showSnackbar(state.errorTitle);
  };
  return { isRefreshing, refresh };
}

interface PostsProps {
  memberSid: number | null;
  feed: Feed;
  onShowNew: () => void;
  onChooseAll: () => void;
}

function Posts({ memberSid, feed, onShowNew, onChooseAll }: PostsProps) {
  const list = useInfiniteQuery(feedQuery(memberSid, feed));
  const blocks = useRecentBlocks();
  if (list.isPending && list.fetchStatus !== 'paused') return <CardsSkeleton cards={SKELETON_CARDS} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const loaded = rowsOf(list.data.pages.map((page) => page.posts));
  const posts = loaded.filter(({ writerId }) => !blocks.has(writerId));
  const newest = loaded[0];
  const itemName = loaded.flatMap(({ tags }) => tags).find(({ code }) => code === feed.code)?.name ?? feed.code;
  return (
    <>
      {itemName !== null && (
        <div className={styles.about}>
          <p>{communityCopy.aboutItem(itemName)}</p>
          <Button tone="text" onClick={onChooseAll}>
            {communityCopy.allPosts}
          </Button>
        </div>
      )}
      {feed.type === 'LATEST' && newest && <NewPosts memberSid={memberSid} category={feed.category} newestSid={newest.sid} onShow={onShowNew} />}
      {/* Pages whose authors were all blocked may come before the last one: those after them are loaded as at the end of a list. */}
      {posts.length === 0 && !list.hasNextPage ? (
        <NoPosts feed={feed} onChooseAll={onChooseAll} />
      ) : (
        <>
          {posts.length > 0 && <CardList posts={posts} />}
          <InfiniteFooter hasMore={list.hasNextPage} isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
        </>
      )}
    </>
  );
}

/** Leads on: to writing, or to where posts are. Notices are the operator's alone. */
function NoPosts({ feed: { category, type }, onChooseAll }: { feed: Feed; onChooseAll: () => void }) {
  if (type === 'FOLLOW') {
    const all = (
      <Button tone="neutral" onClick={onChooseAll}>
        {communityCopy.emptyFollowAction}
      </Button>
    );
    return <EmptyState title={communityCopy.emptyFollow} action={all} />;
  }
  if (category === 'NOTICE') return <EmptyState title={communityCopy.empty} />;
  return <EmptyState title={communityCopy.empty} action={<ButtonLink to={communityPaths.write}>{communityCopy.emptyAction}</ButtonLink>} />;
}
