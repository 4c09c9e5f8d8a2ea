import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { NativeShell } from '@/features/bridge/NativeShell';
import { InstallOffer } from '@/features/install/InstallOffer';
import { UnsentAnswers } from '@/features/learn/quiz/UnsentAnswers';
import { LastKnown } from '@/features/offline/LastKnown';
import { registerServiceWorker } from '@/features/offline/serviceWorker';
import { OpenedPush } from '@/features/push/OpenedPush';
import { retryPendingLogout } from '@/features/session/logOut';
import { UpdateGate } from '@/features/system/UpdateGate';
import { followAccountChanges } from '@/shared/api/accountChanges';
import { followOtherTabs } from '@/shared/api/otherTabs';
import { queryKeys } from '@/shared/api/queryKeys';
import { useMemberSid } from '@/shared/api/session';
import { removeDraftsOfOthers } from '@/shared/platform/memberDrafts';
import { DesktopSidebar } from './DesktopSidebar';
import { WornTheme } from './WornTheme';

/**
 * Services without a part in the first paint: offline data, other tabs, drafts, the native shell, the install offer and the
 * desktop sidebar.
 */
export function BackgroundServices() {
  const memberSid = useMemberSid();
  const queryClient = useQueryClient();
  const hasTraded = useCallback(
    (memberSid: number) =>
      // Holdings or orders mean that the member has traded. Loaded data is enough, so nothing is requested for this.
      TRADES.some((kind) =>
        queryClient
          .getQueriesData({ queryKey: [...queryKeys.account(memberSid), kind] })
          .some(([, data]) => Array.isArray(data) && data.length > 0),
      ),
    [queryClient],
  );
  useEffect(prepareForOffline, []);
  useEffect(() => followAccountChanges(queryClient), [queryClient]);
  useEffect(retryPendingLogout, []);
  useEffect(followOtherTabs, []);
  useEffect(removeDraftsOfOthers, []);
  return (
    <>
      <LastKnown />
      <WornTheme memberSid={memberSid} />
      {memberSid !== null && <UnsentAnswers key={memberSid} memberSid={memberSid} />}
      <NativeShell />
      {memberSid !== null && <OpenedPush memberSid={memberSid} />}
      <UpdateGate />
      <InstallOffer isActive={hasTraded} />
      <DesktopSidebar />
    </>
  );
}

const TRADES = ['holdings', 'waiting'] as const;

const PREPARE_AFTER_MS = 4_000;

/** Preloads the screens and prompts worth opening offline, unless the data saver is on. */
function prepareForOffline(): () => void {
  if (process.env.NODE_ENV === 'production') registerServiceWorker();
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData === true) return () => undefined;
  const timer = setTimeout(() => {
    const screens = [
      import(/* webpackChunkName: "route-home" */ './routes/HomeRoute'),
      import(/* webpackChunkName: "route-my" */ './routes/HoldingsRoute'),
      import(/* webpackChunkName: "route-detail" */ './routes/StockDetailRoute'),
      import(/* webpackChunkName: "route-learn" */ './routes/LearnRoute'),
      import(/* webpackChunkName: "route-study" */ './routes/StudyRoute'),
      import(/* webpackChunkName: "route-quiz" */ './routes/QuizRoute'),
      import(/* webpackChunkName: "route-community" */ './routes/community/CommunityRoute'),
      import(/* webpackChunkName: "route-post" */ './routes/community/PostRoute'),
      import(/* webpackChunkName: "route-notifications" */ './routes/NotificationsRoute'),
      import(/* webpackChunkName: "figure" */ '@/features/learn/figure/Drawing'),
      import(/* webpackChunkName: "prompts" */ '@/shared/ui/PracticeSheet'),
    ];
    for (const screen of screens) screen.catch(() => undefined);
  }, PREPARE_AFTER_MS);
  return () => clearTimeout(timer);
}
