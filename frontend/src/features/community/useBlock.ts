import { useMutation, useQueryClient } from '@tanstack/react-query';
import { given } from '@/shared/copy/copy.given';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { putBlock } from './moderationApi';
import { own } from './queryParts';
import { moderationCopy } from './copy.moderation';
import { messageOf } from './messageOf';

interface Blocking {
  userSid: number;
  nickname: string;
  on: boolean;
}

/** Blocks a member or takes it back. Everything that was loaded changes with it. */
export function useBlock(memberSid: number, onBlocked?: () => void) {
  const queryClient = useQueryClient();
  const block = useMutation({
    mutationFn: ({ userSid, on }: Blocking) => putBlock(memberSid, userSid, on),
    onSuccess: (_, { userSid, nickname, on }) => {
      if (on) {
        onBlocked?.();
        const undo = () => block.mutate({ userSid, nickname, on: false });
        showSnackbar(moderationCopy.blocked(nickname), { action: { label: given.undo, onClick: undo } });
      } else {
        showSnackbar(moderationCopy.unblocked(nickname));
      }
      void queryClient.invalidateQueries({ queryKey: own(memberSid) });
    },
    onError: (problem, { on }) => showSnackbar(messageOf(problem, on ? moderationCopy.blockFailed : moderationCopy.unblockFailed)),
  });
  return block;
}
