import { useSyncExternalStore } from 'react';

/**
 * The topmost open modal, or the body without one. Content outside an open modal is inert and below it, so a notice is drawn
 * inside. Follows modals that open and close only while `isNeeded`.
 */
export function useTopmostModal(isNeeded: boolean): HTMLElement {
  return useSyncExternalStore(isNeeded ? followModals : followNothing, topmostModal);
}

function topmostModal(): HTMLElement {
  return [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body;
}

function followModals(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] });
  return () => observer.disconnect();
}

function followNothing(): () => void {
  return () => undefined;
}
