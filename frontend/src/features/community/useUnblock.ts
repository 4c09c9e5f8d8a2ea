import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { putBlock } from './moderationApi';
import { own } from './queryParts';
import { setRecentBlock } from './recentBlocks';
import { moderationCopy } from './copy.moderation';
import { messageOf } from './messageOf';

interface BlockedMember {
  userSid: number;
  nickname: string;
}

/** Lets a blocked member back at once. Everything that was loaded changes with it. */
export function useUnblock(memberSid: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ userSid }: BlockedMember) => putBlock(memberSid, userSid, false),
    onSuccess: (_, { userSid, nickname }) => {
      setRecentBlock(userSid, null);
      showSnackbar(moderationCopy.unblocked(nickname));
      void queryClient.invalidateQueries({ queryKey: own(memberSid) });
    },
    onError: (problem) => showSnackbar(messageOf(problem, moderationCopy.unblockFailed)),
  });
}
