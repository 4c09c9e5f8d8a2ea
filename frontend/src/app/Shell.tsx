import { lazy, Suspense, useEffect } from 'react';
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router';
import { RealtimeConnection } from '@/features/realtime/RealtimeConnection';
import { useMaintenance } from '@/shared/api/maintenance';
import { useCompetes } from '@/shared/api/memberQuery';
import { nav } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { OverlayHistory } from '@/shared/ui/overlayHistory';
import { SignInPromptHost } from '@/shared/ui/signInPrompt';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { SnackbarHost } from '@/shared/ui/Snackbar';
import { OfflineBanner } from '@/shared/ui/States';
import { AppTabs } from './AppTabs';
import { LazyBackgroundServices } from './LazyBackgroundServices';
import { ErrorBoundary, forgetChunkReload } from './ErrorBoundary';
import { FirstPage, leaveFirstPage } from './firstPage/FirstPage';
import { HomeSkeleton } from './HomeSkeleton';
import { LiveRegions } from './LiveRegions';
import { Notices } from './Notices';
import { forgetLogout, RequireMember } from './RequireMember';
import { routes } from './routes';
import { ScrollRestoration } from './ScrollRestoration';
import { SessionWatcher } from './SessionWatcher';

const MaintenanceScreen = lazy(() => import(/* webpackChunkName: "maintenance" */ '@/features/system/MaintenanceScreen'));

/** What competitions do not offer: all of the section but shares. */
const NO_SHARES = /^\/invest(?!-v2\/stock)/;

/** The phone-wide frame around every screen. */
export function Shell() {
  const { pathname } = useLocation();
  const route = routes.find(({ path }) => matchPath(path, pathname));
  const isClosed = useMaintenance() !== null;
  const isBarred = useCompetes() && NO_SHARES.test(pathname);
  const isVisitorsOwn = route?.requiresMember !== true && pathname !== paths.login;
  useEffect(() => {
    if (isVisitorsOwn) forgetLogout();
  }, [isVisitorsOwn, pathname]);
  return (
    <div className="app">
      <a href="#main" className="skip-link">
        {nav.skip}
      </a>
      <OfflineBanner />
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<FirstPage otherwise={pathname === paths.home ? <HomeSkeleton /> : <RowsSkeleton rows={9} />} />}>
          {isClosed ? (
            <MaintenanceScreen />
          ) : isBarred ? (
            <Navigate to={paths.stockList} replace />
          ) : (
            <Routes>
              {routes.map(({ path, element, requiresMember }) => (
                <Route key={path} path={path} element={requiresMember ? <RequireMember>{element}</RequireMember> : element} />
              ))}
            </Routes>
          )}
          <ScreenIsUp />
        </Suspense>
      </ErrorBoundary>
      {route?.showsTabBar && !isClosed && <AppTabs />}
      <OverlayHistory />
      <FirstPageMark key={pathname} />
      <ScrollRestoration />
      {/* The entry screen decides by itself where to go. */}
      <SessionWatcher isPrivate={route?.requiresMember === true || pathname === paths.boot} />
      <RealtimeConnection />
      <Notices />
      <LazyBackgroundServices />
      <SignInPromptHost />
      <SnackbarHost />
      <LiveRegions />
    </div>
  );
}

/** Removes the mark of the static page when another page is opened. */
function FirstPageMark() {
  useEffect(
    () => () => {
      delete document.documentElement.dataset.boot;
    },
    [],
  );
  return null;
}

function ScreenIsUp() {
  useEffect(() => {
    forgetChunkReload();
    leaveFirstPage();
  }, []);
  return null;
}
