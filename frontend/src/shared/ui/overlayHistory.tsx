import { type MouseEvent, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { type NavigateFunction, type NavigateOptions, type To, useLocation, useNavigate } from 'react-router';

/**
 * Every open overlay owns a history entry, so that back closes the overlay and not the page. An entry's state lists the
 * overlays open when it was created; landing on an entry closes all others, and closing an overlay in code removes its entry.
 * All changes of one tick are applied together, because going back is asynchronous.
 */
interface OverlayState {
  overlays?: string[];
}

const openOverlays: { id: string; close: () => void }[] = [];
let history: { overlays: string[]; goBack: (entries: number) => void; push: (overlays: string[]) => void } | null = null;
let isNavigating = false;
let isScheduled = false;

/** Mounted once inside the router. */
export function OverlayHistory() {
  const location = useLocation();
  const navigate = useNavigate();

  useLayoutEffect(() => {
    const overlays = overlaysOf(location.state);
    const here = location.pathname + location.search + location.hash;
    const applyEntry = () => {
      isNavigating = false;
      for (const overlay of [...openOverlays].reverse()) {
        if (!overlays.includes(overlay.id) && wasEntered.has(overlay.id)) overlay.close();
      }
      schedule();
    };
    // Back before the router has rendered an overlay's entry leads to the entry that is still rendered: no location changes then.
    const onPopState = () => {
      if (keyOfEntry() === location.key) applyEntry();
    };
    history = {
      overlays,
      goBack: (entries) => void navigate(-entries),
      push: (next) => void navigate(here, { state: { ...asRecord(location.state), overlays: next } }),
    };
    applyEntry();
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [location, navigate]);

  return null;
}

/** Whether an overlay is open or about to open. */
export function hasOpenOverlay(): boolean {
  return openOverlays.length > 0;
}

/** Ties an overlay to the history. `onClose` is called on back. */
export function useOverlayEntry(isOpen: boolean, onClose: () => void): void {
  const id = useId();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return;
    openOverlays.push({ id, close: () => close.current() });
    schedule();
    return () => {
      openOverlays.splice(
        openOverlays.findIndex((overlay) => overlay.id === id),
        1,
      );
      schedule();
    };
  }, [id, isOpen]);
}

/** `useNavigate` that replaces the overlay's own entry when called within one, so that back skips it. */
export function useNavigateFromOverlay(): (to: To, options?: NavigateOptions) => void {
  const navigate: NavigateFunction = useNavigate();
  return (to, options) => {
    const replace = options?.replace ?? overlaysOfCurrent().length > 0;
    // The screen may still be loading; until it has arrived the overlay's entry must not be removed a second time.
    isNavigating = true;
    void navigate(to, { ...options, replace });
  };
}

/** A click handler for links inside an overlay: a plain tap navigates in place of the overlay's entry. */
export function useReplaceOverlayLinks(): (event: MouseEvent) => void {
  const navigate = useNavigateFromOverlay();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlainTap = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !isPlainTap || link.origin !== window.location.origin) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  };
}

/** True when a history entry differs from its neighbour only in its overlays: no page change, scroll or focus move. */
export function isOverlayEntry(state: unknown): boolean {
  return overlaysOf(state).length > 0;
}

const wasEntered = new Set<string>();

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    settle();
  });
}

function settle(): void {
  if (!history || isNavigating) return;
  const wanted = openOverlays.map(({ id }) => id);
  for (const id of wasEntered) if (!wanted.includes(id)) wasEntered.delete(id);
  const entered = history.overlays;
  const stale = entered.length - entered.findLastIndex((id) => wanted.includes(id)) - 1;
  if (stale > 0) {
    isNavigating = true;
    history.goBack(stale);
    return;
  }
  const missing = wanted.find((id) => !entered.includes(id));
  if (missing !== undefined) {
    isNavigating = true;
    wasEntered.add(missing);
    history.push([...entered, missing]);
  }
}

function overlaysOfCurrent(): string[] {
  return history?.overlays ?? [];
}

/** The router's key of the browser's current entry. */
function keyOfEntry(): unknown {
  return asRecord(window.history.state).key ?? 'default';
}

function overlaysOf(state: unknown): string[] {
  const { overlays } = asRecord(state) as OverlayState;
  return Array.isArray(overlays) ? overlays : [];
}

function asRecord(state: unknown): Record<string, unknown> {
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
}
