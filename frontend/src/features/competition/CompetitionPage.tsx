import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { BoardPreview } from './BoardPreview';
import styles from './Competition.module.css';
import { boardQuery, competitionQuery } from './competitionApi';
import { competitionCopy, entryCopy } from './copy';
import { EventActions } from './EventActions';
import { EventHead } from './EventHead';
import { InviteCard } from './InviteCard';
import { LeaveEvent } from './LeaveEvent';
import { MyRank } from './MyRank';
import { Prizes } from './Prizes';
import { Result } from './Result';
import { Rules } from './Rules';
import type { Competition } from './types';

interface CompetitionPageProps {
  memberSid: number;
  sid: number;
  inviteCode: string | null;
  currentEventSid: number | null;
  /** Begins to trade in the event. */
  onCompete: (eventSid: number) => void;
  isSwitching: boolean;
  /** Where the events are. */
  home: ReactNode;
}

/** An event: what it is, how the member stands, and the ways in and out. */
export function CompetitionPage({ memberSid, sid, inviteCode, home, ...mode }: CompetitionPageProps) {
  const event = useQuery(competitionQuery(memberSid, sid, inviteCode));
  if (event.isPending && event.fetchStatus !== 'paused') return <PageSkeleton />;
  if (isMissing(event.error)) return <EmptyState title={competitionCopy.missing} body={competitionCopy.missingBody} action={home} />;
  if (!event.data) return <ErrorState error={event.error} onRetry={() => void event.refetch()} />;
  return <Loaded memberSid={memberSid} event={event.data} inviteCode={inviteCode} {...mode} />;
}

interface LoadedProps extends Omit<CompetitionPageProps, 'sid' | 'home'> {
  event: Competition;
}

function Loaded({ memberSid, event, inviteCode, ...mode }: LoadedProps) {
  const [now] = useState(() => new Date());
  const { sid, status, entry } = event;
  // Only its members see the ranking of a league.
  const hasBoard = status !== 'SCHEDULED' && (event.kind !== 'LEAGUE' || Boolean(entry));
  const board = useInfiniteQuery({ ...boardQuery(memberSid, sid, 'RETURN'), enabled: hasBoard });
  const isIn = Boolean(entry) && entry?.hasLeft === false;
  return (
    <>
      <EventHead event={event} now={now} />
      {entry?.hasLeft && <p className={styles.aside}>{entryCopy.left}</p>}
      {isIn && entry && status === 'ONGOING' && <MyRank entry={entry} board={board.data?.pages[0]} now={now} />}
      {isIn && entry && status === 'ENDED' && <Result event={event} entry={entry} board={board.data?.pages[0]} />}
      {isIn && event.inviteCode && status !== 'ENDED' && <InviteCard memberSid={memberSid} event={event} code={event.inviteCode} now={now} />}
      <Prizes memberSid={memberSid} event={event} />
      {hasBoard && <BoardPreview sid={sid} entrants={event.entrants} query={board} isEnded={status === 'ENDED'} />}
      <Rules showsHoldings={event.showsHoldings} />
      <LeaveEvent memberSid={memberSid} sid={sid} isOffered={isIn && status !== 'ENDED' && event.kind !== 'PRACTICE'} />
      <EventActions memberSid={memberSid} event={event} inviteCode={inviteCode} now={now} {...mode} />
    </>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

function PageSkeleton() {
  return (
    <>
      <div className={styles.head} aria-hidden="true">
        <Bone width={120} height={20} />
        <Bone width="80%" height={32} />
        <Bone width="100%" height={96} radius={16} />
      </div>
      <RowsSkeleton rows={3} />
    </>
  );
}
