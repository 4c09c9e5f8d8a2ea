import { Suspense, useEffect } from 'react';
import { matchPath, Route, Routes, useLocation } from 'react-router';
import { RealtimeConnection } from '@/features/realtime/RealtimeConnection';
import { nav } from '@/shared/copy/copy.shared';
import { OverlayHistory } from '@/shared/ui/overlayHistory';
import { SignInPromptHost } from '@/shared/ui/signInPrompt';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { SnackbarHost } from '@/shared/ui/Snackbar';
import { OfflineBanner } from '@/shared/ui/States';
import { AppTabs } from './AppTabs';
import { Companions } from './Companions';
import { ErrorBoundary, forgetChunkReload } from './ErrorBoundary';
import { LiveRegions } from './LiveRegions';
import { Notices } from './Notices';
import { RequireMember } from './RequireMember';
import { routes } from './routes';
import { ScrollMemory } from './ScrollMemory';
import { SessionWatcher } from './SessionWatcher';

/** The phone-wide frame around every screen. */
export function Shell() {
  const { pathname } = useLocation();
  const hasTabs = routes.find(({ path }) => matchPath(path, pathname))?.tabs === true;
  return (
    <div className="app">
      <a href="#main" className="skip-link">
        {nav.skip}
      </a>
      <OfflineBanner />
      <ErrorBoundary resetKey={pathname}>
        <Suspense fallback={<RowsSkeleton rows={9} />}>
          <Routes>
            {routes.map(({ path, element, member }) => (
              <Route key={path} path={path} element={member ? <RequireMember>{element}</RequireMember> : element} />
            ))}
          </Routes>
          <ScreenIsUp />
        </Suspense>
      </ErrorBoundary>
      {hasTabs && <AppTabs />}
      <OverlayHistory />
      <ScrollMemory />
      <SessionWatcher />
      <RealtimeConnection />
      <Notices />
      <Companions />
      <SignInPromptHost />
      <SnackbarHost />
      <LiveRegions />
    </div>
  );
}

function ScreenIsUp() {
  useEffect(forgetChunkReload, []);
  return null;
}
