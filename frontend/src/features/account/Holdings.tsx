import type { ReactNode } from 'react';
import type { Holding } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { GainText } from '@/shared/ui/GainText';
import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { AssetShares } from './AssetShares';
import { holdingsCopy } from './copy';
import { HoldingList } from './HoldingList';
import styles from './Holdings.module.css';
import { HOLDING_KINDS, type Valued } from './holdingsValue';
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

/** The member's holdings with live profits. */
export function Holdings({ memberSid, hrefOf, dividends, browse }: HoldingsProps) {
  const { holdings, isPending, failed, retry } = useHoldings(memberSid);
  if (isPending) return <HoldingsSkeleton />;
  if (failed.length === HOLDING_KINDS.length) return <ErrorState error={failed[0]} onRetry={retry} />;
  return (
    <>
      {failed.length > 0 && <ErrorState title={holdingsCopy.partlyMissing} error={failed[0]} onRetry={retry} />}
      {holdings.length === 0 && failed.length === 0 && <EmptyState title={holdingsCopy.empty} action={browse} />}
      {holdings.length > 0 ? <Owned holdings={holdings} hrefOf={hrefOf} dividends={dividends} /> : dividends}
    </>
  );
}

/** Header, shares and rows use values of the same instant, so that they add up. */
function Owned({ holdings, hrefOf, dividends }: Pick<HoldingsProps, 'hrefOf' | 'dividends'> & { holdings: readonly Holding[] }) {
  const { rows, total } = useLiveHoldings(holdings);
  return (
    <>
      <Summary total={total} />
      <AssetShares rows={rows} />
      {dividends}
      <div className={styles.list}>
        <HoldingList rows={rows} hrefOf={hrefOf} />
      </div>
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
