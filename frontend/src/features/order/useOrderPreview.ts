import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderPreview } from '@/shared/api/types';
import { useDebounced } from '@/shared/ui/useDebounced';
import type { PreviewQuestion } from './orderApi';
import { previewQuery } from './orderQueries';

const ASK_AFTER_MS = 120;

export interface PreviewAnswer {
  /** The server's sums for exactly what is asked; undefined while it has not answered, and when it did not. */
  preview: OrderPreview | undefined;
  isPending: boolean;
}

/**
 * The server's sums for an order while it is being typed: asked for once the fingers rest, and never shown beside other figures.
 * An amount that is `typed` becomes a slightly other quantity as the price moves; the last sums then stay until the next come.
 */
export function useOrderPreview(question: PreviewQuestion | null, typed: string | null = null): PreviewAnswer {
  const key = question === null ? '' : JSON.stringify(question);
  const rested = useDebounced(key, ASK_AFTER_MS);
  const { data, isPending, fetchStatus } = useQuery(previewQuery(rested === '' ? null : (JSON.parse(rested) as PreviewQuestion)));
  const [last, setLast] = useState<{ typed: string; preview: OrderPreview } | null>(null);
  const preview = key !== '' && key === rested ? data : undefined;
  if (typed !== null && preview && (last?.typed !== typed || last.preview !== preview)) setLast({ typed, preview });
  if (key === '') return { preview: undefined, isPending: false };
  // Without a connection nothing is on its way.
  const isAwaited = key !== rested || (isPending && fetchStatus !== 'paused');
  if (isAwaited && typed !== null && last?.typed === typed) return { preview: last.preview, isPending: false };
  return { preview, isPending: isAwaited };
}
