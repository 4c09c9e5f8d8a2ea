import { Navigate } from 'react-router';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';

/** The invest tab opens on the list that was used last. */
export function InvestRedirect() {
  return <Navigate to={lastInvestPath()} replace />;
}
