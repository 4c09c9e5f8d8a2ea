import { useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import { useAccountName } from '@/shared/api/useAccountName';
import { useSortParam } from '@/shared/ui/SortSelect';
import { holdingsCopy } from './copy';
import { HoldingRow } from './HoldingRow';
import styles from './Holdings.module.css';
import { HOLDING_SORTS, type HoldingSort, sortHoldings, valueHolding } from './holdingsValue';
import type { LiveHolding } from './useLiveHoldings';

interface HoldingListProps {
  memberSid: number;
  rows: readonly LiveHolding[];
  hrefOf: (holding: Holding) => string;
}

export function HoldingList({ memberSid, rows, hrefOf }: HoldingListProps) {
  const [sort, setSort] = useSortParam(HOLDING_SORTS);
  const nameOf = useAccountName(memberSid);
  const order = useOrder(rows, sort);
  return (
    <>
      <div role="group" aria-label={holdingsCopy.sort} className={styles.sorts}>
        {HOLDING_SORTS.map((value) => (
          <button key={value} type="button" aria-pressed={sort === value} className={styles.sort} onClick={() => setSort(value)}>
            {holdingsCopy.sorts[value]}
          </button>
        ))}
      </div>
      <ul>
        {order.map(({ holding, valued }) => (
          <li key={`${holding.acno} ${holding.isuSrtCd}`}>
            <HoldingRow holding={holding} valued={valued} accountName={nameOf(holding.acno)} to={hrefOf(holding)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Sorted by the server's values, so that rows do not move with every tick. */
function useOrder(rows: readonly LiveHolding[], sort: HoldingSort): readonly LiveHolding[] {
  return useMemo(() => sortHoldings(rows, sort, ({ holding }) => ({ ...valueHolding(holding, undefined), name: holding.isuKorNm })), [rows, sort]);
}
