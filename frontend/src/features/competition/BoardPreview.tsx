import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ChevronIcon } from '@/shared/ui/icons';
import { Section, SectionError } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import board from './Board.module.css';
import { leaderboardHref } from './competitionPaths';
import { boardCopy } from './copy';
import { Podium, PODIUM_PLACES } from './Podium';
import type { Board } from './types';

interface BoardPreviewProps {
  sid: number;
  entrants: number;
  query: Pick<UseInfiniteQueryResult<{ pages: Board[] }>, 'data' | 'isError' | 'refetch'>;
  isEnded: boolean;
}

/** The best three, and the way to all. */
export function BoardPreview({ sid, entrants, query, isEnded }: BoardPreviewProps) {
  const first = query.data?.pages[0];
  return (
    <Section title={isEnded ? boardCopy.topFinal : boardCopy.top}>
      {!first && (query.isError ? <SectionError onRetry={() => void query.refetch()} /> : <RowsSkeleton rows={3} />)}
      {first && first.rows.length === 0 && <p className={board.none}>{entrants > 0 ? boardCopy.unranked : boardCopy.empty}</p>}
      {first && first.rows.length > 0 && (
        <>
          <Podium rows={first.rows.slice(0, PODIUM_PLACES)} />
          <Link to={leaderboardHref(sid)} className={board.all}>
            {boardCopy.all}
            <ChevronIcon size={16} />
          </Link>
        </>
      )}
    </Section>
  );
}
