import { lazy, type ReactNode } from 'react';
import { paths } from '@/shared/paths';
import { InvestRedirect } from './routes/InvestRedirect';
import { NotFoundRoute } from './routes/NotFoundRoute';

interface AppRoute {
  path: string;
  element: ReactNode;
  /** Shows the bottom tabs. */
  tabs?: boolean;
  /** Only for signed-in members. */
  member?: boolean;
}

const TermsRoute = lazy(() => import(/* webpackChunkName: "route-legal" */ './routes/TermsRoute'));
const PrivacyRoute = lazy(() => import(/* webpackChunkName: "route-legal" */ './routes/PrivacyRoute'));

/** Every screen there is. Adding one is a file in routes/ and a line here. */
export const routes: readonly AppRoute[] = [
  { path: paths.home, element: <InvestRedirect /> },
  { path: paths.invest, element: <InvestRedirect /> },
  { path: paths.terms, element: <TermsRoute /> },
  { path: paths.privacy, element: <PrivacyRoute /> },
  { path: '*', element: <NotFoundRoute /> },
];
