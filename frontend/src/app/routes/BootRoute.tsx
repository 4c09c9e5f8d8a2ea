import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { Welcome } from '@/features/home/Welcome';
import { memberQuery } from '@/shared/api/memberQuery';
import { Boot } from '@/features/session/Boot';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { useIsOnline } from '@/shared/ui/States';

/** The entry: visitors see the welcome; for a member the session is checked first. */
export default function BootRoute() {
  const memberSid = useMemberSid();
  // An ended session leads to the login; a visitor never had one.
  const [wasMember] = useState(memberSid !== null);
  return wasMember || memberSid !== null ? <MemberEntry memberSid={memberSid} /> : <Welcome />;
}

function MemberEntry({ memberSid }: { memberSid: number | null }) {
  const navigate = useNavigate();
  const member = useQuery({ ...memberQuery(memberSid ?? 0), enabled: memberSid !== null, retry: 1 });
  // Offline the session cannot be checked: the last known data is shown, and the first reply decides later.
  const isOnline = useIsOnline();
  const destination = memberSid === null ? paths.login : paths.home;
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
