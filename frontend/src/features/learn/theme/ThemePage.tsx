import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { TopBar, TopBarButton } from '@/shared/ui/TopBar';
import { themesQuery } from '@/features/learn/learnQueries';
import { themeCopy } from './copy';
import { FilterIcon, FilterSheet } from './FilterSheet';
import { ThemeGrid, ThemesSkeleton } from './ThemeGrid';

const SKELETON_CARDS = 8;

/** All themes, and what today's random quiz draws from. */
export function ThemePage() {
  const memberSid = useMemberSid();
  const [isFiltering, setFiltering] = useState(false);
  const { data, error, refetch } = useQuery(themesQuery(memberSid));
  return (
    <>
      <TopBar
        title={themeCopy.screen}
        backTo={paths.learn}
        actions={
          <TopBarButton label={themeCopy.filter} onClick={() => setFiltering(true)}>
            <FilterIcon />
          </TopBarButton>
        }
      />
      <main id="main">
        {data && data.length > 0 && <ThemeGrid themes={data} />}
        {data?.length === 0 && <EmptyState title={themeCopy.none} />}
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ThemesSkeleton cards={SKELETON_CARDS} />)}
      </main>
      {data && memberSid !== null && <FilterSheet open={isFiltering} memberSid={memberSid} themes={data} onClose={() => setFiltering(false)} />}
    </>
  );
}
