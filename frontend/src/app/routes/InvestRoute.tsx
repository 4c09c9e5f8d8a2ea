import { lazy } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { investTabPath, lastInvestTab } from '@/shared/platform/lastInvestPath';

const InvestHub = lazy(() => import(/* webpackChunkName: "route-invest-hub" */ './InvestHub'));

/** Investing opens on the tab that was used last: the list of a kind, or one of the hub's own selections. */
export function InvestRoute() {
  const [search] = useSearchParams();
  const asked = search.get('tab');
  const tab = asked === 'liked' || asked === 'popular' ? asked : lastInvestTab();
  switch (tab) {
    case 'liked':
    case 'popular':
      return <InvestHub tab={tab} />;
    case 'stock':
    case 'coin':
    case 'gold':
    case 'product':
      return <Navigate to={investTabPath(tab)} replace />;
  }
}
