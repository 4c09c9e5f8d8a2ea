import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member } from '@/shared/api/types';
import { api, unwrap } from '@/shared/api/client';
import { FIRST_VISIT_FLAGS, type FirstVisitFlag, rememberSeen, seenFlags } from './firstVisitMemory';

/** What is still to be shown to a member, and how to mark it as seen. */
export function useFirstVisit(member: Member): { isDue: (flag: FirstVisitFlag) => boolean; markSeen: (flag: FirstVisitFlag) => void } {
  const { sid } = member;
  const queryClient = useQueryClient();
  const [seen, setSeen] = useState(() => seenFlags(sid));

  const report = useCallback(
    async (flag: FirstVisitFlag) => {
      try {
        await sendSeen(sid, flag);
      } catch {
        // Failures are ignored: it stays stored on the device and is reported on the next visit.
        return;
      }
      queryClient.setQueryData<Member>(queryKeys.member(sid), (known) => known && { ...known, [flag]: true });
    },
    [queryClient, sid],
  );

  const unsent = useRef(FIRST_VISIT_FLAGS.filter((flag) => !member[flag] && seen.includes(flag)));
  useEffect(() => {
    for (const flag of unsent.current.splice(0)) void report(flag);
  }, [report]);

  const markSeen = useCallback(
    (flag: FirstVisitFlag) => {
      rememberSeen(sid, flag);
      setSeen(seenFlags(sid));
      void report(flag);
    },
    [sid, report],
  );
  return { isDue: (flag) => !member[flag] && !seen.includes(flag), markSeen };
}

/** Reports what a member has seen; idempotent. */
async function sendSeen(memberSid: number, flag: FirstVisitFlag): Promise<void> {
  const params = { path: { id: memberSid } };
  switch (flag) {
    case 'tutorial':
      await unwrap(api.PATCH('/api/v1/member/tutorial/{id}', { params, body: {} }));
      break;
    case 'welcomePopup':
      await unwrap(api.PATCH('/api/v1/member/welcomePopup/{id}', { params, body: {} }));
      break;
  }
}
