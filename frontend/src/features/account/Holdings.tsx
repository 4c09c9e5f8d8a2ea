import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CATEGORIES } from '@/shared/api/assets';
import { assetsQuery } from '@/shared/api/assetsQuery';
import type { Account, Holding } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { GainText } from '@/shared/ui/GainText';
import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { isContract, valueSaved } from './accountKinds';
import { AssetShares } from './AssetShares';
import { holdingsCopy } from './copy';
import { HoldingList } from './HoldingList';
import styles from './Holdings.module.css';
import { totalOf, type Valued } from './holdingsValue';
import { SavedList } from './SavedList';
import { useHoldings } from './useHoldings';
import { useLiveHoldings } from './useLiveHoldings';

interface HoldingsProps {
  memberSid: number;
  hrefOf: (holding: Holding) => string;
  /** The link to the dividends; shown even without holdings. */
  dividends: ReactNode;
  /** Where to go when there are none. */
  browse: ReactNode;
}

/** The member's holdings with live profits, and the deposits and savings. */
export function Holdings({ memberSid, hrefOf, dividends, browse }: HoldingsProps) {
  const { holdings, isPending, failed: failedKinds, retry: retryKinds } = useHoldings(memberSid);
  const assets = useQuery(assetsQuery(memberSid));
  const contracts = assets.data?.accounts.filter(isContract) ?? [];
  const failed = assets.isError && !assets.data ? [...failedKinds, assets.error] : failedKinds;
  const retry = () => {
    retryKinds();
    if (!assets.data) void assets.refetch();
  };
  const isEmpty = holdings.length === 0 && contracts.length === 0;
  if (isPending || assets.isPending) return <HoldingsSkeleton />;
  if (failedKinds.length === CATEGORIES.length && contracts.length === 0) return <ErrorState error={failed[0]} onRetry={retry} />;
  return (
    <>
      {failed.length > 0 && <ErrorState title={holdingsCopy.partlyMissing} error={failed[0]} onRetry={retry} />}
      {isEmpty && failed.length === 0 && <EmptyState title={holdingsCopy.empty} action={browse} />}
      {isEmpty ? dividends : <Owned memberSid={memberSid} holdings={holdings} contracts={contracts} hrefOf={hrefOf} dividends={dividends} />}
    </>
  );
}

interface OwnedProps extends Pick<HoldingsProps, 'memberSid' | 'hrefOf' | 'dividends'> {
  holdings: readonly Holding[];
  contracts: readonly Account[];
}

/** Header, shares and rows use values of the same instant, so that they add up. */
function Owned({ memberSid, holdings, contracts, hrefOf, dividends }: OwnedProps) {
  const { rows } = useLiveHoldings(holdings);
  const saved = contracts.map(valueSaved);
  return (
    <>
      <Summary total={totalOf([...rows.map(({ valued }) => valued), ...saved])} />
      <AssetShares rows={rows} savedWon={totalOf(saved).valueWon ?? 0} />
      {dividends}
      {rows.length > 0 && (
        <div className={styles.list}>
          <HoldingList memberSid={memberSid} rows={rows} hrefOf={hrefOf} />
        </div>
      )}
      {contracts.length > 0 && <SavedList contracts={contracts} />}
    </>
  );
}

function Summary({ total }: { total: Valued }) {
  return (
    <section className={styles.summary} aria-label={holdingsCopy.value}>
      <p className={styles.label}>{holdingsCopy.value}</p>
      <p className={styles.total}>
        <Amount>{won(total.valueWon)}</Amount>
      </p>
      <p className={styles.profit}>
        <GainText won={total.profitWon} percent={total.profitPercent} />
      </p>
    </section>
  );
}

function HoldingsSkeleton() {
  return (
    <div aria-busy="true">
      <div className={styles.summary} aria-hidden="true">
        <Bone width={80} height={20} />
        <Bone width="60%" height={38} />
        <Bone width="40%" height={20} />
      </div>
      <RowsSkeleton rows={6} />
    </div>
  );
}
