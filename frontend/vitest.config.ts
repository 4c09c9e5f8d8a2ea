import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const EXACT = [
  'src/shared/format/*.ts',
  'src/shared/realtime/tickStore.ts',
  'src/shared/api/sessionFetch.ts',
];

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    environment: 'jsdom',
    pool: 'threads',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['./src/testing/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // A machine that builds beside the tests is slow; what is wrong stays wrong for this long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      reporter: ['text-summary'],
      reportsDirectory: 'generated/coverage',
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['src/testing/**', 'src/shared/api/schema.ts', 'src/**/*.test.{ts,tsx}'],
      thresholds: {
        lines: 85,
        statements: 85,
        // What reckons, and what many calls or ticks meet at once, is right on every way through it.
        ...Object.fromEntries(EXACT.map((files) => [files, { branches: 100 }])),
      },
    },
    env: { TZ: process.env.TZ ?? 'Asia/Seoul' },
  },
});
