import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from './queryKeys';
import { memberSid } from './session';

const CHANNEL = 'account-changes';

/**
 * Notifies the member's other tabs of changes made here, and refetches the account when another tab reports one. Only fills are
 * pushed, so a tab would otherwise show cash that another has reserved. A change without a reply may have happened and is
 * reported too. Returns the cleanup.
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
