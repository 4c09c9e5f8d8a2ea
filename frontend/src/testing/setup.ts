import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { server } from './server';

// jsdom draws nothing, so it lacks what only a drawn page has.
/* eslint-disable @typescript-eslint/unbound-method -- prototypes are patched, not called */
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.setAttribute('open', '');
  this.querySelector<HTMLElement>('[autofocus]')?.focus();
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.removeAttribute('open');
  this.dispatchEvent(new Event('close'));
};
window.matchMedia ??= (query: string) =>
  ({ matches: false, media: query, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList;
window.scrollTo = () => undefined;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// On a busy machine a screen may take seconds to appear.
configure({ asyncUtilTimeout: 15_000 });

// The journeys scroll virtualized lists in a browser.
vi.mock('virtua', () => import('./virtua'));

// The delay before new buttons accept taps is tested in Dialog.test.tsx and e2e/doubleTap.test.ts.
vi.mock('@/shared/ui/useAcceptsTaps', () => ({ useAcceptsTaps: () => true }));

// The rate limit is tested in rateLimit.test.ts; tests with fake timers would wait for ever.
vi.mock('@/shared/api/rateLimit', () => ({ waitForSlot: vi.fn(() => Promise.resolve()) }));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => server.close());
