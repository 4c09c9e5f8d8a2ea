import { useQuery } from '@tanstack/react-query';
import { asOf, parseServerTime } from '@/shared/format/kst';
import { pct } from '@/shared/format/pct';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import board from './Board.module.css';
import { entrantHoldingsQuery } from './competitionApi';
import { boardCopy } from './copy';
import type { BoardRow } from './types';

const { holdings: copy } = boardCopy;

interface EntrantSheetProps {
  memberSid: number;
  sid: number;
  entrant: BoardRow;
  open: boolean;
  onClose: () => void;
}

/** What an entrant owned a quarter of an hour ago, in percent. */
export function EntrantSheet({ memberSid, sid, entrant, open, onClose }: EntrantSheetProps) {
  return (
    <Sheet open={open} title={copy.title(entrant.nickname)} onClose={onClose}>
      <Weights memberSid={memberSid} sid={sid} userSid={entrant.userSid} />
    </Sheet>
  );
}

function Weights({ memberSid, sid, userSid }: { memberSid: number; sid: number; userSid: number }) {
  const query = useQuery(entrantHoldingsQuery(memberSid, sid, userSid));
  if (query.isPending && query.fetchStatus !== 'paused') return <RowsSkeleton rows={4} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { holdings, cashWeight } = query.data;
  const at = parseServerTime(query.data.asOf);
  const facts: Fact[] = [...holdings.map(({ isuKorNm, weight }): Fact => [isuKorNm, pct(weight)]), [copy.cash, pct(cashWeight)]];
  return (
    <>
      <p className={board.note}>
        {copy.note}
        {at && ` · ${boardCopy.asOf(asOf(at, new Date()))}`}
      </p>
      {holdings.length === 0 && <p className={board.none}>{copy.empty}</p>}
      <div className={board.weights}>
        <Facts facts={facts} />
      </div>
    </>
  );
}
