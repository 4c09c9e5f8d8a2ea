import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { kstDayKey } from '@/shared/format/kst';
import { learnPaths } from '@/features/learn/learnPaths';
import { SearchIcon } from '@/shared/ui/icons';
import { Section, SectionError } from '@/shared/ui/Section';
import { TopBar, TopBarButton } from '@/shared/ui/TopBar';
import { ArticleSearchEntry } from '@/features/learn/article/ArticleSearchEntry';
import { TodayTerm } from '@/features/learn/glossary/TodayTerm';
import { articlesQuery, deckQuery, progressQuery, themesQuery } from '@/features/learn/learnQueries';
import { ThemeGrid, ThemesSkeleton } from '@/features/learn/theme/ThemeGrid';
import { ArticlesSection } from './ArticlesSection';
import { CalendarIcon } from './CalendarIcon';
import { learnHomeCopy } from './copy';
import { LearnRowsSkeleton } from './LearnRowsSkeleton';
import { PointsRow } from './PointsRow';
import { RepairCard } from './RepairCard';
import { ReviewRow } from './ReviewRow';
import { StreakCard } from './StreakCard';
import { TodayCard } from './TodayCard';

const HomeTradeCards = lazy(() => import(/* webpackChunkName: "trade-cards" */ '@/features/learn/card/HomeTradeCards').then(({ HomeTradeCards: Loaded }) => ({ default: Loaded })));

const SHOWN_THEMES = 4;
const SHOWN_ARTICLES = 3;

/** The learning tab: today's quiz first, then what is due, themes and articles. Each section loads and fails by itself. */
export function LearnHome({ memberSid }: { memberSid: number }) {
  const [isSearching, setSearching] = useState(false);
  const navigate = useNavigate();
  const { data: progress, error, refetch } = useQuery(progressQuery(memberSid));
  useTodayOffline(memberSid);
  return (
    <>
      <TopBar
        title={learnHomeCopy.screen}
        actions={
          <>
            <TopBarButton label={learnHomeCopy.calendar} onClick={() => void navigate(learnPaths.calendar)}>
              <CalendarIcon />
            </TopBarButton>
            <TopBarButton label={learnHomeCopy.search} onClick={() => setSearching(true)}>
              <SearchIcon />
            </TopBarButton>
          </>
        }
      />
      <main id="main">
        <StreakCard memberSid={memberSid} streak={progress?.streak ?? null} />
        {progress?.streak.repair && <RepairCard memberSid={memberSid} repair={progress.streak.repair} />}
        <TodayCard memberSid={memberSid} />
        {error && !progress && <SectionError onRetry={() => void refetch()} />}
        {!error && !progress && <LearnRowsSkeleton rows={2} />}
        {progress && (
          <>
            <ReviewRow review={progress.review} />
            <PointsRow points={progress.stats.memberPoint} />
          </>
        )}
        <Themes memberSid={memberSid} />
        <Suspense fallback={null}>
          <HomeTradeCards memberSid={memberSid} />
        </Suspense>
        <TodayTerm />
        <ArticlesSection memberSid={memberSid} shown={SHOWN_ARTICLES} />
      </main>
      <ArticleSearchEntry open={isSearching} onClose={() => setSearching(false)} />
    </>
  );
}

function Themes({ memberSid }: { memberSid: number }) {
  const { data, error, refetch } = useQuery(themesQuery(memberSid));
  return (
    <Section title={learnHomeCopy.themes} all={learnPaths.themes}>
      {data && <ThemeGrid themes={data.slice(0, SHOWN_THEMES)} />}
      {!data && (error ? <SectionError onRetry={() => void refetch()} /> : <ThemesSkeleton cards={SHOWN_THEMES} />)}
    </Section>
  );
}

/** Fetches today's set and the list of articles, so that both are there without a connection. */
function useTodayOffline(memberSid: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!navigator.onLine) return;
    void queryClient.prefetchQuery(deckQuery(memberSid, { kind: 'random' }, kstDayKey(new Date())));
    void queryClient.prefetchInfiniteQuery(articlesQuery(memberSid, 'no-complete'));
  }, [memberSid, queryClient]);
}
