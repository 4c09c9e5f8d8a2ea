import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { Section } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import styles from './Competition.module.css';
import { competitionsQuery } from './competitionApi';
import { competitionCopy } from './copy';
import { EventCard } from './EventCard';
import { MakeLeague } from './MakeLeague';
import type { Competition, CompetitionStatus } from './types';

const SECTIONS: readonly CompetitionStatus[] = ['ONGOING', 'SCHEDULED', 'ENDED'];

interface CompetitionHomeProps {
  memberSid: number;
  currentEventSid: number | null;
  /** Called with a new league. */
  onMade: (eventSid: number) => void;
}

/** The events by status, and the way to a league of one's own. */
export function CompetitionHome({ memberSid, currentEventSid, onMade }: CompetitionHomeProps) {
  return (
    <>
      <Events memberSid={memberSid} currentEventSid={currentEventSid} />
      <MakeLeague memberSid={memberSid} onMade={onMade} />
    </>
  );
}

function Events({ memberSid, currentEventSid }: Omit<CompetitionHomeProps, 'onMade'>) {
  const [now] = useState(() => new Date());
  const list = useInfiniteQuery(competitionsQuery(memberSid));
  if (list.isPending && list.fetchStatus !== 'paused') return <ListSkeleton />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const events = withoutRepeats(list.data.pages.flatMap((page) => page.competitions));
  if (events.length === 0) return <EmptyState title={competitionCopy.empty} />;
  return (
    <>
      {SECTIONS.map((status) => {
        const those = events.filter((event) => event.status === status);
        if (those.length === 0) return null;
        return (
          <Section key={status} title={competitionCopy.statuses[status]}>
            <ul className={styles.cards}>
              {those.map((event) => (
                <li key={event.sid}>
                  <EventCard event={event} now={now} isCurrent={event.sid === currentEventSid} />
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
      {list.hasNextPage && <InfiniteFooter hasMore isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />}
    </>
  );
}

/** An event that starts or ends moves between pages, so it can occur twice. */
function withoutRepeats(events: readonly Competition[]): Competition[] {
  return [...new Map(events.map((event) => [event.sid, event])).values()];
}

function ListSkeleton() {
  return (
    <div aria-busy="true">
      <div className={styles.cards} aria-hidden="true">
        {[1, 2, 3].map((card) => (
          <Bone key={card} width="100%" height={152} radius={16} />
        ))}
      </div>
    </div>
  );
}
