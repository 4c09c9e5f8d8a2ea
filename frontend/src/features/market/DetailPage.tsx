import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isProblem } from '@/shared/api/apiProblem';
import { holdingQuery } from '@/shared/api/holdingQuery';
import type { Category } from '@/shared/api/assets';
import { useMemberSid } from '@/shared/api/session';
import type { Item } from '@/shared/api/types';
import { useAccountName } from '@/shared/api/useAccountName';
import { action, state } from '@/shared/copy/copy.shared';
import { listHref, orderHref, type Side } from '@/shared/paths';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button, ButtonLink } from '@/shared/ui/Button';
import { PriceNote } from '@/shared/ui/PriceStatus';
import { ShareButton } from '@/shared/ui/ShareButton';
import { requireMember } from '@/shared/ui/signInPrompt';
import { EmptyState, ErrorState, useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { useArrived } from '@/shared/ui/useArrived';
import { useScrolledPast } from '@/shared/ui/useScrolledPast';
import styles from './Cards.module.css';
import { ChartBox } from './ChartBox';
import { createChartView } from './chartView';
import { CompanyOutline } from './CompanyOutline';
import { detail, gold } from './copy';
import { DetailSkeleton } from './DetailSkeleton';
import { FactGrid } from './FactGrid';
import { GoldComparison } from './GoldComparison';
import { IndexConstituents } from './IndexConstituents';
import { quoteQuery } from './marketQueries';
import { PositionCard, WaitingCard } from './PositionCard';
import { PriceHero } from './PriceHero';

interface DetailPageProps {
  category: Category;
  code: string;
  /** The first control in the top bar. */
  heartOf: (item: Item) => ReactNode;
  /** Opens the alerts of its price. */
  bellOf?: (item: Item) => ReactNode;
  /** What members write about the instrument. */
  communityOf?: (name: string) => ReactNode;
}

/** The detail screen of a stock, ETF, coin or commodity. */
export function DetailPage({ category, code, heartOf, bellOf, communityOf }: DetailPageProps) {
  const { data: item, error, refetch } = useQuery(quoteQuery(category, code));
  const hasArrived = useArrived(item);
  const listPath = listHref(category);
  const { ref: hero, isPast } = useScrolledPast();
  const [view] = useState(createChartView);

  if (!item || !hasArrived) {
    return (
      <>
        <TopBar title={detail.title} backTo={listPath} titleShown={false} />
        <main id="main">{error ? <LoadFailure error={error} listPath={listPath} onRetry={() => void refetch()} /> : <DetailSkeleton />}</main>
      </>
    );
  }
  return (
    <>
      <TopBar
        title={item.isuKorNm}
        backTo={listPath}
        titleShown={isPast}
        actions={
          <>
            {heartOf(item)}
            {bellOf?.(item)}
            <ShareButton name={item.isuKorNm} />
          </>
        }
      />
      <main id="main">
        <div ref={hero}>
          <PriceHero item={item} view={view} />
        </div>
        <ChartBox item={item} category={category} view={view} />
        <MemberPart item={item} category={category} />
        <FactGrid item={item} />
        {category === 'gold' && item.tradable && <GoldComparison code={code} />}
        {category === 'gold' && !item.tradable && <p className={styles.note}>{gold.worldNote}</p>}
        <PriceNote />
        {(item.marketCode === 'KOSPI' || item.marketCode === 'KOSDAQ') && <CompanyOutline code={code} />}
        {item.marketCode === 'ETF' && <IndexConstituents code={code} />}
        {communityOf?.(item.isuKorNm)}
        {item.tradable && <TradeActions item={item} category={category} />}
      </main>
    </>
  );
}

function LoadFailure({ error, listPath, onRetry }: { error: unknown; listPath: string; onRetry: () => void }) {
  if (!isProblem(error, 'INSTRUMENT_NOT_FOUND')) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      title={detail.unknown}
      action={
        <ButtonLink to={listPath} tone="neutral" replace>
          {state.goToList}
        </ButtonLink>
      }
    />
  );
}

function MemberPart({ item, category }: { item: Item; category: Category }) {
  const memberSid = useMemberSid();
  return memberSid === null ? null : <MemberCards memberSid={memberSid} item={item} category={category} />;
}

function MemberCards({ memberSid, item, category }: { memberSid: number; item: Item; category: Category }) {
  const { data: holdings } = useQuery(holdingQuery(memberSid, category, item.isuSrtCd));
  const nameOf = useAccountName(memberSid);
  return (
    <>
      {holdings
        ?.filter(({ juQty }) => juQty > 0)
        .map((holding) => <PositionCard key={holding.acno} item={item} holding={holding} accountName={nameOf(holding.acno)} />)}
      <WaitingCard memberSid={memberSid} category={category} code={item.isuSrtCd} />
    </>
  );
}

function TradeActions({ item, category }: { item: Item; category: Category }) {
  const memberSid = useMemberSid();
  const isOnline = useIsOnline();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { data: holdings } = useQuery({
    ...holdingQuery(memberSid ?? 0, category, item.isuSrtCd),
    enabled: memberSid !== null,
  });
  const canSell = memberSid !== null && holdings?.some(({ juQty }) => juQty > 0) === true;
  const helperId = 'trade-helper';
  const blocked = isOnline ? {} : { disabled: true, describedBy: helperId };

  const trade = (side: Side) => {
    if (requireMember(pathname + search)) void navigate(orderHref(category, item.isuSrtCd, side));
  };

  return (
    <BottomCTA helper={isOnline ? null : state.offlineBlocked} helperId={helperId}>
      {canSell && (
        <div className={styles.sell}>
          <Button tone="tint" size="large" {...blocked} onClick={() => trade('sell')}>
            {action.sell}
          </Button>
        </div>
      )}
      <Button tone="buy" size="large" {...blocked} onClick={() => trade('buy')}>
        {action.buy}
      </Button>
    </BottomCTA>
  );
}
