import { type ReactNode, useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import { useAccountName } from '@/shared/api/useAccountName';
import { paths } from '@/shared/paths';
import { Section, SectionError } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState } from '@/shared/ui/States';
import { holdingsCopy, topHoldingsCopy } from './copy';
import { HoldingRow } from './HoldingRow';
import styles from './Holdings.module.css';
import { sortHoldings, valueHolding } from './holdingsValue';
import { useHoldings } from './useHoldings';
import { useLiveHoldings } from './useLiveHoldings';

const SHOWN = 3;

interface TopHoldingsProps {
  memberSid: number;
  hrefOf: (holding: Holding) => string;
  /** Where to go when there are none. */
  browse: ReactNode;
}

/** The member's three largest holdings, with live values. */
export function TopHoldings({ memberSid, hrefOf, browse }: TopHoldingsProps) {
  const { holdings, isPending, failed, retry } = useHoldings(memberSid);
  const largest = useMemo(
    () => sortHoldings(holdings, 'value', (holding) => ({ ...valueHolding(holding, undefined), name: holding.isuKorNm })).slice(0, SHOWN),
    [holdings],
  );
  const nameOf = useAccountName(memberSid);
  const { rows } = useLiveHoldings(largest);
  return (
    <Section title={topHoldingsCopy.title} {...(largest.length > 0 && { all: paths.holdings })}>
      {isPending && <RowsSkeleton rows={SHOWN} />}
      {!isPending && failed.length > 0 && (
        <SectionError {...(largest.length > 0 && { title: holdingsCopy.partlyMissing })} onRetry={retry} />
      )}
      {!isPending && failed.length === 0 && largest.length === 0 && (
        <div className={styles.empty}>
          <EmptyState title={holdingsCopy.empty} action={browse} />
        </div>
      )}
      {!isPending && largest.length > 0 && (
        <ul>
          {rows.map(({ holding, valued }) => (
            <li key={`${holding.acno} ${holding.isuSrtCd}`}>
              <HoldingRow holding={holding} valued={valued} accountName={nameOf(holding.acno)} to={hrefOf(holding)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
