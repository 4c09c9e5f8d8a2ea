import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
    env: { TZ: process.env.TZ ?? 'Asia/Seoul' },
  },
});
