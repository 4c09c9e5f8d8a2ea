import { useRef } from 'react';

type Mutate<Variables> = (variables: Variables, options: { onSettled: () => void; onError?: (error: Error) => void }) => void;

/** `mutate` that ignores calls while one is in flight. `isPending` is true only after the next render, which a double tap precedes. */
export function useSingleFlight<Variables>(mutate: Mutate<Variables>) {
  const isFlying = useRef(false);
  return (variables: Variables, options: { onError?: (error: Error) => void } = {}): void => {
    if (isFlying.current) return;
    isFlying.current = true;
    mutate(variables, { ...options, onSettled: () => (isFlying.current = false) });
  };
}
