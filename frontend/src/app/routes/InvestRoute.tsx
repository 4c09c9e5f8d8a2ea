import { Navigate, useSearchParams } from 'react-router';
import { paths } from '@/shared/paths';
import { investTabPath, lastInvestPath } from '@/shared/platform/lastInvestPath';

/** Investing opens on the kind that was used last. Links to selections of before lead to where these are now. */
export function InvestRoute() {
  const [search] = useSearchParams();
  return <Navigate to={destinationOf(search.get('tab'))} replace />;
}

function destinationOf(tab: string | null): string {
  if (tab === 'liked') return paths.likes;
  return tab === 'popular' ? investTabPath('stock') : lastInvestPath();
}
