import type { QueryClient } from '@tanstack/react-query';
import { haptic } from '@/shared/platform/haptics';
import { cancelReloads } from './communityCache';

interface Likeable {
  isLike: boolean;
  likeCount: number;
}
export type Change = <Row extends Likeable>(row: Row) => Row;

/** Rows with a request in flight, whose further taps are ignored. */
const inFlight = new Set<string>();

/** Flips a like at once; a failure only reverts it. */
export async function toggleLike(queryClient: QueryClient, key: string, wasLiked: boolean, apply: (change: Change) => void, send: (like: boolean) => Promise<Likeable>): Promise<void> {
  if (inFlight.has(key)) return;
  inFlight.add(key);
  haptic('selection');
  apply((row) => liked(row, !wasLiked));
  try {
    await cancelReloads(queryClient);
    const { isLike, likeCount } = await send(!wasLiked);
    apply((row) => ({ ...row, isLike, likeCount }));
  } catch {
    apply((row) => liked(row, wasLiked));
  } finally {
    inFlight.delete(key);
  }
}

/** Changes one like of the count, so that a count loaded meanwhile stays right. */
function liked<Row extends Likeable>(row: Row, isLike: boolean): Row {
  if (row.isLike === isLike) return row;
  return { ...row, isLike, likeCount: Math.max(0, row.likeCount + (isLike ? 1 : -1)) };
}
