import { useEffect, useState } from 'react';

/** The value after it has not changed for a while; the first one at once. */
export function useDebounced<Value>(value: Value, restMs: number): Value {
  const [rested, setAcceptsTaps] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setAcceptsTaps(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}
