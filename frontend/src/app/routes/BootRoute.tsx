import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { memberQuery } from '@/features/member/memberQueries';
import { Boot } from '@/features/session/Boot';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { useIsOnline } from '@/shared/ui/States';

/** The front door: asks the server whether the session still holds, then leads home. Visitors go to the market at once. */
export default function BootRoute() {
  const navigate = useNavigate();
  const memberSid = useMemberSid();
  const member = useQuery({ ...memberQuery(memberSid ?? 0), enabled: memberSid !== null, retry: 1 });
  // Without a connection nothing can be asked: what is remembered is shown, and the first answer later on decides.
  const isOnline = useIsOnline();
  // A session that turns out to be over leads to the login; a visitor never had one.
  const [wasMember] = useState(memberSid !== null);
  const destination = destinationOf(memberSid !== null, wasMember);
  const enter = useCallback(() => void navigate(destination, { replace: true }), [destination, navigate]);
  return (
    <main id="main">
      <Boot
        isDecided={memberSid === null || member.isSuccess || !isOnline}
        hasFailed={member.isError}
        onRetry={() => void member.refetch()}
        onDecided={enter}
      />
    </main>
  );
}

function destinationOf(isMember: boolean, wasMember: boolean): string {
  if (isMember) return paths.home;
  return wasMember ? paths.login : paths.stockList;
}
