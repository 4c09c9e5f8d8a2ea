import { type RefObject, useEffect, useRef } from 'react';

const FLASH_MS = 300;
/** At most four flashes a second per element. */
const MIN_GAP_MS = 250;
/** The tint fades in steps of 50 ms, because each step repaints the element. */
const FADE = 'steps(6, jump-none)';

let reducedMotion: MediaQueryList | undefined;

/** Flashes an element when its value rises or falls, unless motion is reduced. */
export function useFlash(element: RefObject<HTMLElement | null>, value: number): void {
  const previous = useRef(value);
  const lastFlashMs = useRef(0);
  useEffect(() => {
    const difference = value - previous.current;
    previous.current = value;
    const now = performance.now();
    if (difference === 0 || now - lastFlashMs.current < MIN_GAP_MS) return;
    reducedMotion ??= window.matchMedia('(prefers-reduced-motion: reduce)');
    if (reducedMotion.matches) return;
    lastFlashMs.current = now;
    const tint = difference > 0 ? 'var(--color-up-bg)' : 'var(--color-down-bg)';
    element.current?.animate?.([{ backgroundColor: tint }, { backgroundColor: 'transparent' }], { duration: FLASH_MS, easing: FADE });
  }, [element, value]);
}
