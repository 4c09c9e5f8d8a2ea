import { useCallback, useEffect, useState } from 'react';

/** Whole seconds until a moment set by `start`. It follows the clock, so a phone that slept is not behind. */
export function useCountdown(): { secondsLeft: number; start: (seconds: number) => void } {
  const [endsAtMs, setEndsAtMs] = useState(0);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const secondsLeft = Math.max(0, Math.ceil((endsAtMs - nowMs) / 1_000));
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = useCallback((seconds: number) => {
    setNowMs(Date.now());
    setEndsAtMs(Date.now() + seconds * 1_000);
  }, []);
  return { secondsLeft, start };
}
