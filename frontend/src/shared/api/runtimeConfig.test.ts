// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { beforeEach, expect, test, vi } from 'vitest';
import { server } from '@/testing/server';

const asked = vi.fn(() => HttpResponse.json({ siseOrigin: 'http://asked.test', clock: 'exchange', simulated: false }));

beforeEach(() => {
  vi.resetModules();
  asked.mockClear();
  document.head.innerHTML = '';
  server.use(http.get('*/config.json', asked));
});

function pageWith(text: string): void {
  document.head.innerHTML = `<script type="application/json" id="runtime-config">${text}</script>`;
}

test('an embedded config is known at once and not fetched', async () => {
  pageWith(JSON.stringify({ siseOrigin: 'http://brought.test', clock: 'replay', simulated: false, maintenanceUntil: '2026-11-22T02:30:00+09:00' }));
  const { loadRuntimeConfig, runtimeConfig } = await import('./runtimeConfig');
  const loading = loadRuntimeConfig();
  expect(runtimeConfig()).toMatchObject({ siseOrigin: 'http://brought.test', clock: 'replay', maintenanceUntil: '2026-11-22T02:30:00+09:00' });
  await expect(loading).resolves.toBe(runtimeConfig());
  expect(asked).not.toHaveBeenCalled();
});

test.each(['', null])('a page without a config (%o) fetches it', async (text) => {
  if (text !== null) pageWith(text);
  const { loadRuntimeConfig, runtimeConfig } = await import('./runtimeConfig');
  await loadRuntimeConfig();
  expect(runtimeConfig()).toMatchObject({ siseOrigin: 'http://asked.test', clock: 'exchange', simulated: false });
  expect(asked).toHaveBeenCalledOnce();
});

test('fields of another kind get their defaults', async () => {
  pageWith(JSON.stringify({ siseOrigin: 5, clock: 'lunar', simulated: 'no', leastApp: { ios: '1.2', android: 3 }, maintenanceUntil: {} }));
  const { loadRuntimeConfig } = await import('./runtimeConfig');
  await expect(loadRuntimeConfig()).resolves.toEqual({
    siseOrigin: '',
    clock: 'practice',
    feed: '',
    simulated: true,
    version: '',
    leastApp: { ios: '1.2' },
    maintenanceUntil: null,
  });
});
