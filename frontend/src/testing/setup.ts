import { vi } from 'vitest';

// The journeys scroll virtualized lists in a browser.
vi.mock('virtua', () => import('./virtua'));

// The delay before new buttons accept taps is tested in Dialog.test.tsx and e2e/doubleTap.test.ts.
vi.mock('@/shared/ui/useAcceptsTaps', () => ({ useAcceptsTaps: () => true }));

// The rate limit is tested in rateLimit.test.ts; tests with fake timers would wait for ever.
vi.mock('@/shared/api/rateLimit', () => ({ waitForSlot: vi.fn(() => Promise.resolve()) }));

if (typeof document !== 'undefined') await import('./page');
