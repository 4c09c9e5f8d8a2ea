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
    pool: 'threads',
    // By default one processor is left idle.
    maxWorkers: '100%',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    // A page takes most of the time of a small file. A .ts file that needs one begins with `// @vitest-environment jsdom`.
    projects: [
      { extends: true, test: { name: 'components', environment: 'jsdom', include: ['src/**/*.test.tsx'] } },
      { extends: true, test: { name: 'functions', environment: 'node', include: ['src/**/*.test.ts'] } },
    ],
    setupFiles: ['./src/testing/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // A machine that builds during the tests is slow; a real failure still fails within this time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As for the journeys and the Rust tests; the report names what needed it.
    retry: 2,
    coverage: {
      provider: 'v8',
      reporter: ['text-summary'],
      reportsDirectory: 'generated/coverage',
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['src/testing/**', 'src/shared/api/schema.ts', 'src/**/*.test.{ts,tsx}'],
      thresholds: {
        lines: 85,
        statements: 85,
        // Computations, and code shared by many calls or ticks, are covered completely.
        ...Object.fromEntries(EXACT.map((files) => [files, { branches: 100 }])),
      },
    },
    env: { TZ: process.env.TZ ?? 'Asia/Seoul' },
  },
});
