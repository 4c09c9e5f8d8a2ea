import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import { memberSid as memberSidNow, onSessionChange, useMemberSid } from '@/shared/api/session';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { likeCopy } from './copy';
import { putLike } from './likeApi';
import { withLike } from './likePatch';
import { type LikeTarget, targetKey } from './likeTarget';

/** Optimistic likes by member and target, which take precedence over loaded data. They are dropped when the member leaves. */
const usePendingStore = create<Readonly<Record<string, boolean>>>(() => ({}));
onSessionChange(() => usePendingStore.setState({}, true));

/** Targets with a request in flight: further taps wait for its reply, so that replies cannot overtake each other. */
const inFlight = new Set<string>();

export interface Like {
  isLiked: boolean;
  /** Flips the heart at once; undefined for visitors. */
  toggle: (() => void) | undefined;
}

/** The state of a heart and its toggle. */
export function useLike(target: LikeTarget, loaded: boolean): Like {
  const memberSid = useMemberSid();
  const setLike = useSetLike();
  const pending = usePendingStore((taps) => (memberSid === null ? undefined : taps[keyOf(memberSid, target)]));
  if (memberSid === null) return { isLiked: false, toggle: undefined };
  const isLiked = pending ?? loaded;
  return { isLiked, toggle: () => setLike(target, !isLiked) };
}

/** Likes or unlikes optimistically, and rolls back when the server rejects it. */
export function useSetLike(): (target: LikeTarget, like: boolean) => void {
  const queryClient = useQueryClient();
  const memberSid = useMemberSid();
  return (target, like) => {
    // An undo may outlive the session it was offered in.
    if (memberSid === null || memberSid !== memberSidNow()) return;
    const key = keyOf(memberSid, target);
    setPending(key, like);
    if (!inFlight.has(key)) void settle(queryClient, memberSid, target);
  };
}

/** The shown like of a target while it is unconfirmed. */
export function usePendingLikes(): (target: LikeTarget) => boolean | undefined {
  const memberSid = useMemberSid();
  const taps = usePendingStore((all) => all);
  return (target) => (memberSid === null ? undefined : taps[keyOf(memberSid, target)]);
}

async function settle(queryClient: QueryClient, memberSid: number, target: LikeTarget): Promise<void> {
  const key = keyOf(memberSid, target);
  const like = usePendingStore.getState()[key];
  if (like === undefined) return;
  inFlight.add(key);
  try {
    await putLike(memberSid, target, like);
    if (usePendingStore.getState()[key] === like) await refresh(queryClient, memberSid, target, like);
  } catch (problem) {
    // Taps made meanwhile are dropped too: the member sees the server's state and decides again.
    setPending(key, undefined);
    if (memberSid === memberSidNow()) showSnackbar(rejection(problem) ?? likeCopy.failed);
  } finally {
    inFlight.delete(key);
  }
  const wanted = usePendingStore.getState()[key];
  if (wanted === like) setPending(key, undefined);
  else if (wanted !== undefined) await settle(queryClient, memberSid, target);
}

/** Applies the confirmed like to loaded data and refetches the liked and popular lists. */
async function refresh(queryClient: QueryClient, memberSid: number, target: LikeTarget, like: boolean): Promise<void> {
  const lists: { queryKey: QueryKey }[] = [{ queryKey: queryKeys.likes(memberSid) }, { queryKey: queryKeys.popular }];
  await Promise.all(lists.map((filter) => queryClient.cancelQueries(filter)));
  queryClient.setQueriesData({ predicate: ({ queryKey }) => !queryKey.includes('candles') }, (data: unknown) => withLike(data, target, like));
  await Promise.all(lists.map((filter) => queryClient.invalidateQueries(filter)));
}

/** The server's message for a rejected like, such as one too many. */
function rejection(problem: unknown): string | null {
  return problem instanceof ApiProblem && !problem.isOutcomeUnknown && problem.message !== '' ? problem.message : null;
}

function keyOf(memberSid: number, target: LikeTarget): string {
  return `${memberSid} ${targetKey(target)}`;
}

function setPending(key: string, like: boolean | undefined): void {
  const others = Object.entries(usePendingStore.getState()).filter(([known]) => known !== key);
  usePendingStore.setState(Object.fromEntries(like === undefined ? others : [...others, [key, like]]), true);
}
