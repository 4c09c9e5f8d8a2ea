import { Navigate, useSearchParams } from 'react-router';
import { listHref, paths } from '@/shared/paths';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';

/** Redirects to the category used last, and old links to their current address. */
export function InvestRoute() {
  const [search] = useSearchParams();
  return <Navigate to={destinationOf(search.get('tab'))} replace />;
}

function destinationOf(tab: string | null): string {
  if (tab === 'liked') return paths.likes;
  return tab === 'popular' ? listHref('stock') : lastInvestPath();
}
