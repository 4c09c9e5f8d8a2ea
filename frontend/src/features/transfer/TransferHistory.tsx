import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CashMove } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { DayGroups } from '@/shared/ui/DayGroups';
import { EntryRow } from '@/shared/ui/EntryRow';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { transferHistoryCopy } from './copy';
import { directionOf } from './direction';
import { KindIcon } from './KindIcon';
import styles from './Transfer.module.css';
import { transferHistoryQuery, transferTermsQuery } from './transferApi';

const ALL = 'all';

interface TransferHistoryProps {
  memberSid: number;
  /** A past season; null is the present one. */
  season: number | null;
  /** Chooses the season. */
  seasons: ReactNode;
  start: ReactNode;
}

/** Everything that moved cash without an order, by day; of all accounts or of one. */
export function TransferHistory({ memberSid, season, seasons, start }: TransferHistoryProps) {
  const [acno, setAcno] = useState(ALL);
  // The accounts are those of the present season.
  const chosen = acno === ALL || season !== null ? null : acno;
  const history = useInfiniteQuery(transferHistoryQuery(memberSid, chosen, season));
  const accounts = useAccounts(memberSid);
  return (
    <>
      {seasons}
      {season === null && accounts.length > 1 && (
        <div className={styles.filter}>
          <ChoiceChips
            label={transferHistoryCopy.filter}
            values={[ALL, ...accounts.map((account) => account.acno)]}
            names={Object.fromEntries([[ALL, transferHistoryCopy.all], ...accounts.map((account) => [account.acno, account.actNm] as const)])}
            value={acno}
            onChange={setAcno}
          />
        </div>
      )}
      <Moves history={history} acno={chosen} start={season === null ? start : null} />
    </>
  );
}

function useAccounts(memberSid: number): { acno: string; actNm: string }[] {
  const { data } = useQuery(transferTermsQuery(memberSid, '00'));
  return data ? [data.source, ...data.targets.filter(({ isOpen }) => isOpen)] : [];
}

interface MovesProps {
  /** The account whose history it is; null for all. */
  acno: string | null;
  history: UseInfiniteQueryResult<InfiniteData<{ transfers: CashMove[] }>>;
  start: ReactNode;
}

function Moves({ history, acno, start }: MovesProps) {
  if (history.isPending && history.fetchStatus !== 'paused') return <RowsSkeleton rows={6} />;
  if (!history.data) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />;
  const moves = history.data.pages.flatMap((page) => page.transfers);
  if (moves.length === 0) return <EmptyState title={transferHistoryCopy.empty} action={start} />;
  return (
    <>
      <DayGroups rows={moves} timeOf={({ at }) => at} keyOf={({ transferSid }) => transferSid}>
        {(move) => <MoveRow move={move} acno={acno} />}
      </DayGroups>
      <InfiniteFooter hasMore={history.hasNextPage} isLoading={history.isFetchingNextPage} onMore={() => void history.fetchNextPage()} />
    </>
  );
}

function MoveRow({ move, acno }: { move: CashMove; acno: string | null }) {
  const { kind, amount, at } = move;
  const time = parseServerTime(at);
  const direction = directionOf(move, acno);
  return (
    <EntryRow
      lead={<KindIcon direction={direction} />}
      name={transferHistoryCopy.kinds[kind] ?? transferHistoryCopy.otherKind}
      detail={placesOf(move)}
      value={
        <span className={direction === 'in' ? styles.in : undefined}>
          <Amount>{`${SIGNS[direction]}${won(amount)}`}</Amount>
        </span>
      }
      note={time ? kstTime(time) : ''}
    />
  );
}

const SIGNS = { in: '+', out: '-', between: '' } as const;

/** The names of the accounts that it moved between, as far as they are the member's. */
function placesOf({ fromActNm, toActNm }: CashMove): string {
  return fromActNm && toActNm ? transferHistoryCopy.between(fromActNm, toActNm) : (fromActNm ?? toActNm ?? '');
}
