import { useEffect, useSyncExternalStore } from 'react';
import type { Holding } from '@/shared/api/types';
import { destinationOf } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';

type Listener = () => void;

const SECOND_MS = 1_000;
const listeners = new Set<Listener>();
let second = 0;
let hasChanged = false;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * A number that changes at most once a second, and only when one of these holdings has traded. All views of a member's money
 * share it, so that their figures are of the same instant.
 */
export function useTickSecond(holdings: readonly Holding[]): number {
  useEffect(() => {
    noteChange();
    const stops = holdings.map(({ isuSrtCd, marketCode }) => tickStore.subscribe(isuSrtCd, destinationOf(marketCode), noteChange));
    return () => {
      for (const stop of stops) stop();
    };
  }, [holdings]);
  return useSyncExternalStore(subscribe, currentSecond);
}

function noteChange(): void {
  hasChanged = true;
}

function currentSecond(): number {
  return second;
}

function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  timer ??= setInterval(onSecond, SECOND_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function onSecond(): void {
  if (!hasChanged) return;
  hasChanged = false;
  second += 1;
  for (const listener of listeners) listener();
}
