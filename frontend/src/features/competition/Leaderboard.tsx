import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { asOf, parseServerTime } from '@/shared/format/kst';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { Tabs } from '@/shared/ui/Tabs';
import board from './Board.module.css';
import { BoardTable } from './BoardTable';
import { boardQuery, competitionQuery } from './competitionApi';
import { boardCopy } from './copy';
import { EntrantSheet } from './EntrantSheet';
import { hasCalm } from './eventTime';
import { Podium, PODIUM_PLACES } from './Podium';
import type { Board, BoardKind, BoardRow } from './types';

const KINDS: readonly { value: BoardKind; label: string }[] = [
  { value: 'RETURN', label: boardCopy.kinds.RETURN },
  { value: 'CALM', label: boardCopy.kinds.CALM },
];

/** The ranking of an event. */
export function Leaderboard({ memberSid, sid }: { memberSid: number; sid: number }) {
  const panelId = useId();
  const [kind, setKind] = useState<BoardKind>('RETURN');
  const { data: event } = useQuery(competitionQuery(memberSid, sid, null));
  // Who was opened last stays while the sheet closes.
  const [opened, setOpened] = useState<BoardRow | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (row: BoardRow) => {
    setOpened(row);
    setOpen(true);
  };
  const hasTabs = event !== undefined && hasCalm(event);
  return (
    <>
      {hasTabs && (
        <div className={board.tabs}>
          <Tabs label={boardCopy.tabs} options={KINDS} value={kind} onChange={setKind} panelId={panelId} />
        </div>
      )}
      {/* The ranking stays mounted when the tabs come. */}
      <div id={panelId} {...(hasTabs && { role: 'tabpanel', 'aria-label': boardCopy.kinds[kind] })}>
        {kind === 'CALM' && <p className={board.note}>{boardCopy.calmNote}</p>}
        <Ranking
          key={kind}
          memberSid={memberSid}
          sid={sid}
          kind={kind}
          entrants={event?.entrants ?? 0}
          onOpen={event?.showsHoldings === true ? open : null}
        />
      </div>
      {opened && <EntrantSheet memberSid={memberSid} sid={sid} entrant={opened} open={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}

interface RankingProps {
  memberSid: number;
  sid: number;
  kind: BoardKind;
  entrants: number;
  onOpen: ((row: BoardRow) => void) | null;
}

function Ranking({ memberSid, sid, kind, entrants, onOpen }: RankingProps) {
  const query = useInfiniteQuery(boardQuery(memberSid, sid, kind));
  if (query.isPending && query.fetchStatus !== 'paused') return <RowsSkeleton rows={8} />;
  const first = query.data?.pages[0];
  if (!first) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const rows = withoutRepeats(query.data?.pages ?? []);
  if (rows.length === 0) return <EmptyState title={entrants > 0 ? boardCopy.unranked : boardCopy.empty} />;
  const rest = rows.slice(PODIUM_PLACES);
  const mine = first.mine ?? null;
  return (
    <>
      <ValuedAt time={first.valuedAt} />
      <Podium rows={rows.slice(0, PODIUM_PLACES)} onOpen={onOpen} />
      {(rest.length > 0 || mine) && <BoardTable rows={rest} mine={mine} onOpen={onOpen} />}
      {query.hasNextPage && <InfiniteFooter hasMore isLoading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />}
    </>
  );
}

function ValuedAt({ time }: { time: string | null | undefined }) {
  const at = parseServerTime(time);
  return at && <p className={board.note}>{boardCopy.asOf(asOf(at, new Date()))}</p>;
}

/** Places change between the loads of two pages, so an entrant can occur twice. */
function withoutRepeats(pages: readonly Board[]): BoardRow[] {
  const rows = pages.flatMap((page) => page.rows);
  return [...new Map(rows.map((row) => [row.userSid, row])).values()];
}
