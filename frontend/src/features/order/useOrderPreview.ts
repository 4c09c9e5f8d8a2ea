import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderPreview } from '@/shared/api/types';
import { useDebounced } from '@/shared/ui/useDebounced';
import type { PreviewQuestion } from './orderApi';
import { previewQuery } from './orderQueries';

const ASK_AFTER_MS = 120;

export interface PreviewAnswer {
  /** The server's sums; undefined while it has not answered, and when it did not. */
  preview: OrderPreview | undefined;
  /** The quantity that they are the sums of. */
  qty: number | null;
  isPending: boolean;
}

/** Nothing is known of an order. */
const NO_SUMS: PreviewAnswer = { preview: undefined, qty: null, isPending: false };

/**
 * The server's sums for an order while it is being typed: asked for once the fingers rest, and never shown beside other figures.
 * An amount that is `typed` becomes a slightly other quantity as the price moves; the last sums that fit then stay, with their
 * quantity, until the next come. `newest` is what was answered last to what is asked, whether it fits or not.
 */
export function useOrderPreview(
  question: PreviewQuestion | null,
  typed: string | null,
  fits: (preview: OrderPreview) => boolean,
): PreviewAnswer & { newest: OrderPreview | undefined } {
  const key = question === null ? '' : JSON.stringify(question);
  const rested = useDebounced(key, ASK_AFTER_MS);
  const { data, isPending, fetchStatus } = useQuery(previewQuery(rested === '' ? null : (JSON.parse(rested) as PreviewQuestion)));
  const [last, setLast] = useState<{ typed: string; answer: PreviewAnswer } | null>(null);
  if (question === null) return { ...NO_SUMS, newest: undefined };
  const newest = key === rested ? data : undefined;
  if (newest && fits(newest)) {
    const answer = { preview: newest, qty: question.juQty, isPending: false };
    if (typed !== null && (last?.typed !== typed || last.answer.preview !== newest)) setLast({ typed, answer });
    return { ...answer, newest };
  }
  // Without a connection nothing is on its way.
  const isAwaited = newest !== undefined || key !== rested || (isPending && fetchStatus !== 'paused');
  if (isAwaited && typed !== null && last?.typed === typed) return { ...last.answer, newest };
  return { ...NO_SUMS, isPending: isAwaited, newest };
}
