import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { editPosts } from './communityCache';
import { decisionCopy } from './copy.decisions';
import { putMute } from './decisionsApi';
import { messageOf } from './messageOf';

/** Ends or begins the notifications of a post. */
export function useMute(memberSid: number | null, post: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => (memberSid === null ? Promise.reject(new Error('nobody mutes')) : putMute(memberSid, post, on)),
    onSuccess: ({ isMuted }) => {
      editPosts(queryClient, ({ sid }) => sid === post, (row) => ({ ...row, isMuted }));
      showSnackbar(isMuted ? decisionCopy.muted : decisionCopy.unmuted);
    },
    onError: (problem) => showSnackbar(messageOf(problem, decisionCopy.muteFailed)),
  });
}
