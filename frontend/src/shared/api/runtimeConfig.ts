import * as v from 'valibot';
import { create } from 'zustand';

const RuntimeConfig = v.object({
  siseOrigin: v.fallback(v.string(), ''),
  clock: v.fallback(v.picklist(['practice', 'exchange', 'replay']), 'practice'),
  feed: v.fallback(v.string(), ''),
  simulated: v.fallback(v.boolean(), true),
  version: v.fallback(v.string(), ''),
});

/** What an installation says about itself: where live prices come from and what kind of prices they are. */
export type RuntimeConfig = v.InferOutput<typeof RuntimeConfig>;

const READ_TIMEOUT_MS = 5_000;
const UNKNOWN: RuntimeConfig = v.parse(RuntimeConfig, {});
const useConfigStore = create<{ config: RuntimeConfig }>(() => ({ config: UNKNOWN }));

let reading: Promise<RuntimeConfig> | null = null;

/** Reads the gateway's config document, once it has worked. Without it REST still works and live prices do not. */
export function loadRuntimeConfig(): Promise<RuntimeConfig> {
  reading ??= read().catch(() => {
    reading = null;
    return UNKNOWN;
  });
  return reading;
}

/** What is known so far, outside React; await `loadRuntimeConfig()` to be sure. */
export function runtimeConfig(): RuntimeConfig {
  return useConfigStore.getState().config;
}

/** Re-renders when the document has been read; until then everything counts as simulated. */
export function useRuntimeConfig(): RuntimeConfig {
  return useConfigStore((state) => state.config);
}

async function read(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`config.json answered ${response.status}`);
  const config = v.parse(RuntimeConfig, await response.json());
  useConfigStore.setState({ config });
  return config;
}
