import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { Welcome } from '@/features/home/Welcome';
import { memberQuery } from '@/features/member/memberQueries';
import { Boot } from '@/features/session/Boot';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { useIsOnline } from '@/shared/ui/States';

/** The front door: visitors see what this is; of a member the server is asked whether the session still holds. */
export default function BootRoute() {
  const memberSid = useMemberSid();
  // A session that turns out to be over leads to the login; a visitor never had one.
  const [wasMember] = useState(memberSid !== null);
  return wasMember || memberSid !== null ? <MemberEntry memberSid={memberSid} /> : <Welcome />;
}

function MemberEntry({ memberSid }: { memberSid: number | null }) {
  const navigate = useNavigate();
  const member = useQuery({ ...memberQuery(memberSid ?? 0), enabled: memberSid !== null, retry: 1 });
  // Without a connection nothing can be asked: what is remembered is shown, and the first answer later on decides.
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
