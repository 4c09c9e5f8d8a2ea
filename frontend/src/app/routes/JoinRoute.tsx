import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { joinCopy } from '@/features/session/copy';
import { JOIN_STEPS, type JoinStep } from '@/features/session/joinForm';
import { JoinProgress, JoinWizard } from '@/features/session/JoinWizard';
import { safeNext } from '@/features/session/safeNext';
import { Welcome } from '@/features/session/Welcome';
import { useMemberSid } from '@/shared/api/session';
import { loginHref, paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

/** Joining: each step has an address, so back goes one step back. */
export default function JoinRoute() {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const memberSid = useMemberSid();
  // A member who opens this is redirected; one who signs in by joining stays for the welcome.
  const [wasMember] = useState(memberSid !== null);
  const [joinedAs, setJoinedAs] = useState<string | null>(null);
  const next = search.get('next');
  const destination = safeNext(next, paths.home);
  const step = JOIN_STEPS.find((known) => known === search.get('step')) ?? 'terms';

  const showStep = useCallback(
    (to: JoinStep) =>
      setSearch(
        (current) => {
          current.set('step', to);
          return current;
        },
        // Going forward adds a history entry; returning to an earlier step does not.
        { replace: to === 'terms' },
      ),
    [setSearch],
  );

  if (joinedAs !== null && memberSid !== null) {
    return (
      <>
        {/* Keeps the layout of the earlier steps; there is nothing to go back to. */}
        <TopBar title={joinCopy.screen} titleShown={false} />
        <main id="main">
          <JoinProgress step="done" />
          <StartingMoney memberSid={memberSid}>
            {(moneyWon) => (
              <Welcome nickname={joinedAs} moneyWon={moneyWon} onStart={() => void navigate(destination, { replace: true })} />
            )}
          </StartingMoney>
        </main>
      </>
    );
  }
  if (wasMember) return <Navigate to={destination} replace />;
  return (
    <>
      <TopBar title={joinCopy.screen} backTo={paths.login} titleShown={false} />
      <main id="main">
        <JoinWizard
          step={step === 'done' ? 'terms' : step}
          onStep={showStep}
          onJoined={setJoinedAs}
          loginHref={next === null ? paths.login : loginHref(next)}
        />
      </main>
    </>
  );
}

function StartingMoney({ memberSid, children }: { memberSid: number; children: (moneyWon: number | null) => ReactNode }) {
  const { data } = useQuery(assetsQuery(memberSid));
  return children(data?.accounts[0]?.depositInit ?? null);
}
