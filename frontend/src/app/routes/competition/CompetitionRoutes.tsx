import { Route, Routes, useParams, useSearchParams } from 'react-router';
import { CompetitionHome } from '@/features/competition/CompetitionHome';
import { CompetitionPage } from '@/features/competition/CompetitionPage';
import { competitionPaths, eventHref } from '@/features/competition/competitionPaths';
import { boardCopy, competitionCopy } from '@/features/competition/copy';
import { Leaderboard } from '@/features/competition/Leaderboard';
import { useMemberSid } from '@/shared/api/session';
import { state } from '@/shared/copy/copy.shared';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { TopBar } from '@/shared/ui/TopBar';
import { useCompetitionMode } from '@/app/useCompetitionMode';
import { useCurrentEvent } from '@/app/useCurrentEvent';
import { NotFoundRoute } from '../NotFoundRoute';

/** The screens below /competition: one entry of the router, so that the first load does not carry them. */
export default function CompetitionRoutes() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <Routes>
      <Route index element={<HomeScreen memberSid={memberSid} />} />
      <Route path=":sid" element={<EventScreen memberSid={memberSid} />} />
      <Route path=":sid/leaderboard" element={<BoardScreen memberSid={memberSid} />} />
      <Route path="*" element={<NotFoundRoute />} />
    </Routes>
  );
}

function HomeScreen({ memberSid }: { memberSid: number }) {
  const navigate = useNavigateFromOverlay();
  const currentEventSid = useCurrentEvent(memberSid);
  return (
    <>
      <TopBar title={competitionCopy.screen} backTo={paths.home} />
      <main id="main">
        <CompetitionHome memberSid={memberSid} currentEventSid={currentEventSid} onMade={(eventSid) => navigate(eventHref(eventSid))} />
      </main>
    </>
  );
}

function EventScreen({ memberSid }: { memberSid: number }) {
  const sid = useEventSid();
  const [search] = useSearchParams();
  const mode = useCompetitionMode(memberSid);
  const currentEventSid = useCurrentEvent(memberSid);
  if (sid === null) return <NotFoundRoute />;
  return (
    <>
      <TopBar title={competitionCopy.screen} backTo={competitionPaths.home} />
      <main id="main">
        <CompetitionPage
          key={sid}
          memberSid={memberSid}
          sid={sid}
          inviteCode={search.get('code')}
          currentEventSid={currentEventSid}
          onCompete={(eventSid) => void mode.set({ isOn: true, eventSid })}
          isSwitching={mode.isPending}
          home={
            <ButtonLink to={competitionPaths.home} tone="neutral" replace>
              {state.goToList}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}

function BoardScreen({ memberSid }: { memberSid: number }) {
  const sid = useEventSid();
  if (sid === null) return <NotFoundRoute />;
  return (
    <>
      <TopBar title={boardCopy.screen} backTo={eventHref(sid)} />
      <main id="main">
        <Leaderboard key={sid} memberSid={memberSid} sid={sid} />
      </main>
    </>
  );
}

/** The event of the address; null when it names none. */
function useEventSid(): number | null {
  const { sid = '' } = useParams();
  return /^[1-9]\d{0,14}$/.test(sid) ? Number(sid) : null;
}
