import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Interest } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { announce } from '@/shared/ui/screenAnnouncer';
import { useIsOnline } from '@/shared/ui/States';
import { useDebounced } from '@/shared/ui/useDebounced';
import { productDetail } from './copy';
import { interestQuery, type InterestRequest } from './productQueries';

const DEBOUNCE_MS = 120;
const RETRY_MS = 5_000;

interface InterestAnswer {
  /** Null without a valid amount, and before the first answer. */
  answer: Interest | null;
  /** The answer to this question is under way; `answer` is the one before. */
  isPending: boolean;
  /** This question has no answer: offline, or the server failed. */
  isUnavailable: boolean;
}

/** What the server computes for the question, with one request under way at a time. */
export function useInterest(productSid: number, question: InterestRequest, isSensible: boolean): InterestAnswer {
  const isOnline = useIsOnline();
  const settledAmount = useDebounced(question.amount, DEBOUNCE_MS);
  const isSettled = settledAmount === question.amount;
  const { data, isPlaceholderData, isError } = useQuery({
    ...interestQuery(productSid, question),
    enabled: isSensible && isSettled && isOnline,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
  const isAnswer = data !== undefined && !isPlaceholderData && isSettled;
  useAnnouncedResult(isSensible && isAnswer ? productDetail.result(question.saveTrm, won(data.payout)) : null);
  const isUnavailable = isSensible && !isAnswer && (isError || !isOnline);
  return { answer: isSensible && !isUnavailable ? (data ?? null) : null, isPending: isSensible && !isAnswer && !isUnavailable, isUnavailable };
}

/** Announces a new result once it is stable; the first one is read with the screen. */
function useAnnouncedResult(sentence: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (sentence === null || sentence === last.current) return;
    if (last.current !== null) announce(sentence);
    last.current = sentence;
  }, [sentence]);
}
