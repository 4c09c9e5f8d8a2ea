import { defineConfig } from 'vitest/config';
import { EndReporter } from './e2e/support/endReporter';

/**
 * Journeys in a real browser on the whole running product. `make e2e` starts one product on the built-in market (project `e2e`)
 * and one on recorded prices (project `replay`). The project `screenshots` takes the README's pictures.
 */
const journey = {
  environment: 'node' as const,
  testTimeout: 120_000,
  // A busy machine may need as long for a condition as for a screen.
  expect: { poll: { timeout: 30_000, interval: 100 } },
  hookTimeout: 60_000,
  // A loaded machine may be late once; a real fault is late every time.
  retry: 2,
  globalSetup: ['./e2e/support/requireProduct.ts'],
};

// These measure the product or stop its services, so nothing may run beside them.
const ALONE = ['firstPaint', 'firstPrice', 'liveList', 'liveWork', 'recovery', 'reconnect', 'warmNavigation'].map((name) => `e2e/${name}.test.ts`);

export default defineConfig({
  test: {
    reporters: ['default', new EndReporter()],
    projects: [
      { test: { ...journey, name: 'e2e', include: ['e2e/*.test.ts'], exclude: ['e2e/replay*.test.ts', ...ALONE], maxWorkers: 2, sequence: { groupOrder: 1 } } },
      { test: { ...journey, name: 'e2e-alone', include: ALONE, fileParallelism: false, maxWorkers: 1, sequence: { groupOrder: 2 } } },
      { test: { ...journey, name: 'replay', include: ['e2e/replay*.test.ts'], fileParallelism: false, maxWorkers: 1 } },
      { test: { ...journey, name: 'screenshots', include: ['e2e/screenshots.ts'] } },
    ],
  },
});
