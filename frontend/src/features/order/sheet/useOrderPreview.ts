import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderPreview } from '@/shared/api/types';
import { useDebounced } from '@/shared/ui/useDebounced';
import type { PreviewRequest } from '@/features/order/orderApi';
import { previewQuery } from '@/features/order/orderQueries';

const DEBOUNCE_MS = 120;

export interface PreviewAnswer {
  /** The server's sums; undefined until it has answered, or when it failed. */
  preview: OrderPreview | undefined;
  /** The quantity of these sums. */
  qty: number | null;
  isPending: boolean;
}

const NO_PREVIEW: PreviewAnswer = { preview: undefined, qty: null, isPending: false };

/**
 * The server's sums for an order being typed. Requests are debounced, and sums are never shown next to other figures. The
 * quantity of a typed amount (`typed`) changes with the price; the last sums that fit stay, with their quantity, until the next
 * reply. `newest` is the last reply to the current request, whether it fits or not.
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
    const answer = { preview: newest, qty: request.juQty ?? newest.juQty ?? null, isPending: false };
    if (typed !== null && (last?.typed !== typed || last.answer.preview !== newest)) setLast({ typed, answer });
    return { ...answer, newest };
  }
  // Offline, no reply is on its way.
  const isAwaited = newest !== undefined || key !== debounced || (isPending && fetchStatus !== 'paused');
  if (isAwaited && typed !== null && last?.typed === typed) return { ...last.answer, newest };
  return { ...NO_PREVIEW, isPending: isAwaited, newest };
}
