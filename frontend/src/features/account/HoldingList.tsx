import { useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import { useAccountName } from '@/shared/api/useAccountName';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { useSortParam } from '@/shared/ui/SortSelect';
import { holdingsCopy } from './copy';
import { HoldingRow } from './HoldingRow';
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
      <ChoiceChips label={holdingsCopy.sort} values={HOLDING_SORTS} names={holdingsCopy.sorts} value={sort} onChange={setSort} look="words" />
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
