import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { competitionKeys } from '@/features/competition/competitionKeys';
import { wipeLastKnown } from '@/features/offline/lastKnown';
import { ApiProblem } from '@/shared/api/apiProblem';
import { api, unwrap } from '@/shared/api/client';
import { memberQuery } from '@/shared/api/memberQuery';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member } from '@/shared/api/types';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { modeCopy } from './copy.mode';

interface ModeChange {
  isOn: boolean;
  /** The event to compete in; absent = the one joined last. */
  eventSid?: number;
}

/** The competition mode and its switch. Whatever was loaded of the member's accounts is of one mode, and goes with it. */
export function useCompetitionMode(memberSid: number) {
  const queryClient = useQueryClient();
  const { data: member } = useQuery(memberQuery(memberSid));
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ isOn, eventSid }: ModeChange) =>
      unwrap(
        api.PATCH('/api/v1/member/competition-mode/{id}', {
          params: { path: { id: memberSid } },
          body: { competitionMode: isOn, ...(eventSid !== undefined && { eventSid }) },
        }),
      ),
    onSuccess: async (mode) => {
      const key = queryKeys.member(memberSid);
      await queryClient.cancelQueries({ queryKey: queryKeys.account(memberSid) });
      queryClient.setQueryData<Member>(key, (known) =>
        known && { ...known, competitionMode: mode.competitionMode, competitionAccountSid: mode.competitionAccountSid },
      );
      wipeLastKnown();
      // The member and the events are the same in either mode.
      const kept = [key, competitionKeys.all(memberSid)];
      void queryClient.invalidateQueries({ queryKey: competitionKeys.all(memberSid) });
      await queryClient.resetQueries({
        queryKey: queryKeys.account(memberSid),
        predicate: ({ queryKey }) => !kept.some((prefix) => isBelow(queryKey, prefix)),
      });
    },
    onError: (thrown) => showSnackbar((thrown instanceof ApiProblem && thrown.message) || modeCopy.failed),
  });
  return {
    isOn: member?.competitionMode === true,
    isKnown: typeof member?.competitionMode === 'boolean',
    isPending,
    /** Whether it was changed. */
    set: (change: ModeChange) =>
      mutateAsync(change).then(
        () => true,
        () => false,
      ),
  };
}

function isBelow(queryKey: QueryKey, prefix: QueryKey): boolean {
  return prefix.every((part, place) => queryKey[place] === part);
}
