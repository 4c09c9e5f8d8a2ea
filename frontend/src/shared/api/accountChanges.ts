import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from './queryKeys';
import { memberSid } from './session';

const CHANNEL = 'account-changes';

/**
 * Tells the member's other tabs when this one has changed something on the server, and reads the account anew when another tab
 * has: only fills are pushed, so a tab would show cash that another one has set aside until it asks by itself. A change whose
 * answer was lost may have happened, so it is told, too. Returns the function that stops it.
 */
export function followAccountChanges(queryClient: QueryClient): () => void {
  if (!('BroadcastChannel' in window)) return () => undefined;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const member = memberSid();
    if (member !== null && data === member) void queryClient.invalidateQueries({ queryKey: queryKeys.account(member) });
  };
  const stop = queryClient.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || (event.action.type !== 'success' && event.action.type !== 'error')) return;
    const member = memberSid();
    if (member !== null) channel.postMessage(member);
  });
  return () => {
    stop();
    channel.close();
  };
}
