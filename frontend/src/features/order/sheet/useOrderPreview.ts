import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderPreview } from '@/shared/api/types';
import { useDebounced } from '@/shared/ui/useDebounced';
import type { PreviewRequest } from '@/features/order/orderApi';
import { previewQuery } from '@/features/order/orderQueries';

const DEBOUNCE_MS = 120;

export interface PreviewAnswer {
  /** The server's sums; undefined while it has not answered, and when it did not. */
  preview: OrderPreview | undefined;
  /** The quantity that they are the sums of. */
  qty: number | null;
  isPending: boolean;
}

/** Nothing is known of an order. */
const NO_PREVIEW: PreviewAnswer = { preview: undefined, qty: null, isPending: false };

/**
 * The server's sums for an order while it is being typed: asked for once the fingers rest, and never shown beside other figures.
 * An amount that is `typed` becomes a slightly other quantity as the price moves; the last sums that fit then stay, with their
 * quantity, until the next come. `newest` is what was answered last to what is asked, whether it fits or not.
 */
export function useOrderPreview(
  request: PreviewRequest | null,
  typed: string | null,
  fits: (preview: OrderPreview) => boolean,
): PreviewAnswer & { newest: OrderPreview | undefined } {
  const key = request === null ? '' : JSON.stringify(request);
  const debounced = useDebounced(key, DEBOUNCE_MS);
  const { data, isPending, fetchStatus } = useQuery(previewQuery(debounced === '' ? null : (JSON.parse(debounced) as PreviewRequest)));
  const [last, setLast] = useState<{ typed: string; answer: PreviewAnswer } | null>(null);
  if (request === null) return { ...NO_PREVIEW, newest: undefined };
  const newest = key === debounced ? data : undefined;
  if (newest && fits(newest)) {
    const answer = { preview: newest, qty: request.juQty, isPending: false };
    if (typed !== null && (last?.typed !== typed || last.answer.preview !== newest)) setLast({ typed, answer });
    return { ...answer, newest };
  }
  // Without a connection nothing is on its way.
  const isAwaited = newest !== undefined || key !== debounced || (isPending && fetchStatus !== 'paused');
  if (isAwaited && typed !== null && last?.typed === typed) return { ...last.answer, newest };
  return { ...NO_PREVIEW, isPending: isAwaited, newest };
}
