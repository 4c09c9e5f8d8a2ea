import { type ReactNode, useMemo, useState } from 'react';
import type { Holding } from '@/shared/api/types';
import { signedMoney } from '@/shared/format/change';
import { shownPct, signedPct } from '@/shared/format/pct';
import { tone } from '@/shared/format/tone';
import { won } from '@/shared/format/won';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import { ToneText } from '@/shared/ui/ToneText';
import { Amount } from '@/shared/ui/Amount';
import { AssetShares } from './AssetShares';
import { holdingsCopy } from './copy';
import { HoldingRow } from './HoldingRow';
import styles from './Holdings.module.css';
import { HOLDING_KINDS, type HoldingSort, sortHoldings, valueHolding } from './holdingsValue';
import { useHoldings } from './useHoldings';
import { useLiveTotal } from './useLiveHoldings';

const SORTS: readonly { value: HoldingSort; label: string }[] = [
  { value: 'value', label: holdingsCopy.byValue },
  { value: 'profit', label: holdingsCopy.byProfit },
];

interface HoldingsProps {
  memberSid: number;
  hrefOf: (holding: Holding) => string;
  /** The way to what the shares have paid; there even when none are owned any more. */
  dividends: ReactNode;
  /** A way on while nothing is owned. */
  browse: ReactNode;
}

/** Everything the member owns, with profits that move. */
export function Holdings({ memberSid, hrefOf, dividends, browse }: HoldingsProps) {
  const { holdings, isPending, failed, retry } = useHoldings(memberSid);
  if (isPending) return <HoldingsSkeleton />;
  if (failed.length === HOLDING_KINDS.length) return <ErrorState error={failed[0]} onRetry={retry} />;
  return (
    <>
      {failed.length > 0 && <ErrorState title={holdingsCopy.partlyMissing} error={failed[0]} onRetry={retry} />}
      {holdings.length === 0 && failed.length === 0 && <EmptyState title={holdingsCopy.empty} action={browse} />}
      {holdings.length > 0 && <Totals holdings={holdings} />}
      {dividends}
      {holdings.length > 0 && <OwnedList holdings={holdings} hrefOf={hrefOf} />}
    </>
  );
}

function OwnedList({ holdings, hrefOf }: { holdings: readonly Holding[]; hrefOf: HoldingsProps['hrefOf'] }) {
  const [sort, setSort] = useState<HoldingSort>('value');
  // Sorted by what the server last said, so that rows do not change places under the finger with every tick.
  const sorted = useMemo(() => sortHoldings(holdings, sort, (holding) => valueHolding(holding, undefined)), [holdings, sort]);
  return (
    <>
      <div role="group" aria-label={holdingsCopy.sort} className={styles.sorts}>
        {SORTS.map(({ value, label }) => (
          <button key={value} type="button" aria-pressed={sort === value} className={styles.sort} onClick={() => setSort(value)}>
            {label}
          </button>
        ))}
      </div>
      <ul>
        {sorted.map((holding) => (
          <li key={`${holding.acno} ${holding.isuSrtCd}`}>
            <HoldingRow holding={holding} to={hrefOf(holding)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Totals({ holdings }: { holdings: readonly Holding[] }) {
  return (
    <>
      <Summary holdings={holdings} />
      <AssetShares holdings={holdings} />
    </>
  );
}

function Summary({ holdings }: { holdings: readonly Holding[] }) {
  const total = useLiveTotal(holdings);
  return (
    <section className={styles.summary} aria-label={holdingsCopy.value}>
      <p className={styles.label}>{holdingsCopy.value}</p>
      <p className={styles.total}>
        <Amount>{won(total.valueWon)}</Amount>
      </p>
      <p className={`${styles.profit} tone-${tone(total.profitWon)}`}>
        <Amount>{signedMoney(total.profitWon, 'KRW')}</Amount>
        <ToneText value={shownPct(total.profitPercent)}>{signedPct(total.profitPercent)}</ToneText>
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
