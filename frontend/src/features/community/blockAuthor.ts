import type { QueryClient } from '@tanstack/react-query';
import { memberSid as sessionMember, onSessionChange } from '@/shared/api/session';
import { given } from '@/shared/copy/copy.given';
import { dismissSnackbar, showSnackbar } from '@/shared/ui/snackbarStore';
import { onPageHidden } from '@/shared/ui/useOnLeave';
import { moderationCopy } from './copy.moderation';
import { messageOf } from './messageOf';
import { putBlock } from './moderationApi';
import { own } from './queryParts';
import { setRecentBlock } from './recentBlocks';

/**
 * Hides what an author wrote at once. The block is sent when its message goes without an undo, or when the page is hidden: on the
 * server it ends the follows and drops the notices between the two, which taking it back later does not bring back. It is
 * dropped with the member's session, without which it cannot be sent.
 */
export function blockAuthor(queryClient: QueryClient, memberSid: number, { userSid, nickname }: { userSid: number; nickname: string }): void {
  // As long as the message is shown, which takes its undo along.
  const stops = [onPageHidden(dismissSnackbar), onSessionChange(dismissSnackbar)];
  const stopWatching = () => {
    for (const stop of stops) stop();
  };
  const undo = () => {
    stopWatching();
    setRecentBlock(userSid, null);
  };
  const commit = () => {
    stopWatching();
    if (sessionMember() === memberSid) void send(queryClient, memberSid, userSid);
  };
  showSnackbar(moderationCopy.blocked(nickname), { action: { label: given.undo, onClick: undo }, onDismiss: commit });
  setRecentBlock(userSid, 'undoable');
}

async function send(queryClient: QueryClient, memberSid: number, userSid: number): Promise<void> {
  setRecentBlock(userSid, 'sent');
  let failure: string | null = null;
  try {
    await putBlock(memberSid, userSid, true);
  } catch (problem) {
    failure = messageOf(problem, moderationCopy.blockFailed);
  }
  // The next member did not ask for it.
  if (sessionMember() !== memberSid) return;
  setRecentBlock(userSid, failure === null ? 'blocked' : null);
  if (failure !== null) showSnackbar(failure);
  // Where it failed, the server may have blocked all the same.
  void queryClient.invalidateQueries({ queryKey: own(memberSid) });
}
