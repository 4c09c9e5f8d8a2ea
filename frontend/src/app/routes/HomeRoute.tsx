import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { isUntouched } from '@/features/account/accountKinds';
import { CATEGORIES } from '@/shared/api/assets';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { AssetHero } from '@/features/account/AssetHero';
import { TopHoldings } from '@/features/account/TopHoldings';
import { useHoldings } from '@/features/account/useHoldings';
import { homeCopy } from '@/features/home/copy';
import { PopularTabs } from '@/features/home/PopularTabs';
import { QuickRow } from '@/features/home/QuickRow';
import { heartOf } from '@/features/like/Hearts';
import { memberQuery } from '@/shared/api/memberQuery';
import { lastKnownOf } from '@/features/offline/lastKnown';
import { waitingQuery } from '@/features/order/waiting/waitingQuery';
import { TrendStrip } from '@/features/trend/TrendStrip';
import { isFirstVisit } from '@/features/tutorial/firstVisitMemory';
import { useMemberSid } from '@/shared/api/session';
import { itemHref, paths } from '@/shared/paths';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';
import { ButtonLink } from '@/shared/ui/Button';
import { PriceNote, PriceStatus } from '@/shared/ui/PriceStatus';
import { Section } from '@/shared/ui/Section';
import { TopBar } from '@/shared/ui/TopBar';
import { LazyBell } from '../LazyBell';
import { WhenNear } from './WhenNear';

// Never needed again after the first trade.
const FirstTrade = lazy(() => import(/* webpackChunkName: "first-trade" */ '@/features/home/FirstTrade').then(({ FirstTrade }) => ({ default: FirstTrade })));
const TodayQuizCard = lazy(() => import(/* webpackChunkName: "learn-cards" */ '@/features/learn/home/HomeCards').then(({ TodayQuizCard }) => ({ default: TodayQuizCard })));
const ArticleCards = lazy(() => import(/* webpackChunkName: "learn-cards" */ '@/features/learn/home/HomeCards').then(({ ArticleCards }) => ({ default: ArticleCards })));
const HomeTop = lazy(() => import(/* webpackChunkName: "community-teaser" */ '@/features/community/teaser/HomeTop'));
const HomeEquity = lazy(() => import(/* webpackChunkName: "equity" */ './HomeEquity'));
const FirstVisit = lazy(() =>
  import(/* webpackChunkName: "tutorial" */ '@/features/tutorial/FirstVisit').then(({ FirstVisit }) => ({ default: FirstVisit })),
);

const CompetitionBanner = lazy(() => import(/* webpackChunkName: "competition-banner" */ '@/features/competition/CompetitionBanner'));

const POPULAR_ROWS = 5;
/** The height of the quiz card with its margins, so that nothing moves when its code arrives. */
const QUIZ_CARD_PX = 104;
const TOP_POSTS_PX = 232;
const BANNER_PX = 208;

/** The home tab: the member's money, holdings, and popular instruments. */
export default function HomeRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar
        title={homeCopy.screen}
        actions={
          <>
            <PriceStatus />
            <LazyBell />
          </>
        }
      />
      <main id="main">
        <AssetHero memberSid={memberSid} isBrief knownBefore={lastKnownOf} />
        <Quick memberSid={memberSid} />
        <Suspense fallback={<div style={{ height: QUIZ_CARD_PX }} />}>
          <TodayQuizCard memberSid={memberSid} />
        </Suspense>
        <Owned memberSid={memberSid} />
        <Suspense fallback={null}>
          <HomeEquity memberSid={memberSid} />
        </Suspense>
        <TrendStrip />
        <Section title={homeCopy.popular} all={paths.stockList}>
          <PopularTabs shown={POPULAR_ROWS} controlOf={heartOf} />
        </Section>
        <Suspense fallback={null}>
          <ArticleCards memberSid={memberSid} />
        </Suspense>
        <WhenNear heightPx={TOP_POSTS_PX}>
          <Suspense fallback={<div style={{ height: TOP_POSTS_PX }} />}>
            <HomeTop memberSid={memberSid} />
          </Suspense>
        </WhenNear>
        <WhenNear heightPx={BANNER_PX}>
          <Suspense fallback={<div style={{ height: BANNER_PX }} />}>
            <CompetitionBanner memberSid={memberSid} />
          </Suspense>
        </WhenNear>
        <PriceNote />
        <Arrival memberSid={memberSid} />
      </main>
    </>
  );
}

function Quick({ memberSid }: { memberSid: number }) {
  // A hint: it follows orders and fills, but is not polled.
  const waiting = useQueries({
    queries: CATEGORIES.map((category) => ({ ...waitingQuery(memberSid, category), refetchInterval: false as const })),
  });
  return <QuickRow waitingCount={waiting.reduce((count, { data }) => count + (data?.length ?? 0), 0)} />;
}

function Owned({ memberSid }: { memberSid: number }) {
  const { data: assets } = useQuery(assetsQuery(memberSid));
  const { holdings, hasAll } = useHoldings(memberSid);
  const browse = (
    <ButtonLink to={lastInvestPath()} tone="neutral">
      {homeCopy.browse}
    </ButtonLink>
  );
  const account = assets?.accounts[0];
  if (account && hasAll && holdings.length === 0 && isUntouched(account)) {
    return (
      <Suspense fallback={null}>
        <FirstTrade stage={account.held > 0 ? 'waiting' : 'choose'} availableWon={account.available} browse={browse} />
      </Suspense>
    );
  }
  return <TopHoldings memberSid={memberSid} hrefOf={itemHref} browse={browse} />;
}

function Arrival({ memberSid }: { memberSid: number }) {
  const { data: member } = useQuery(memberQuery(memberSid));
  const { data: assets } = useQuery(assetsQuery(memberSid));
  const [isFirst, setFirst] = useState(false);
  // Stays mounted until the screen is left: its last sheet is still closing when the server already knows.
  if (member && !isFirst && isFirstVisit(member)) setFirst(true);
  if (!member || !isFirst) return null;
  return (
    <Suspense fallback={null}>
      <FirstVisit member={member} moneyWon={assets?.accounts[0]?.depositInit ?? null} />
    </Suspense>
  );
}
