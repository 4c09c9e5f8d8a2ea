import * as v from 'valibot';
import { create } from 'zustand';
import { endMaintenance, startMaintenance } from './maintenance';

const RuntimeConfig = v.object({
  siseOrigin: v.fallback(v.string(), ''),
  clock: v.fallback(v.picklist(['practice', 'exchange', 'replay']), 'practice'),
  feed: v.fallback(v.string(), ''),
  simulated: v.fallback(v.boolean(), true),
  version: v.fallback(v.string(), ''),
  /** The oldest supported native app, by platform. */
  leastApp: v.fallback(v.object({ ios: v.optional(v.string()), android: v.optional(v.string()) }), {}),
  /** When the product opens again; null while it is open. */
  maintenanceUntil: v.fallback(v.nullable(v.string()), null),
});

/** What an installation reports about itself: the price service and the kind of prices. */
export type RuntimeConfig = v.InferOutput<typeof RuntimeConfig>;

const READ_TIMEOUT_MS = 5_000;
const UNKNOWN: RuntimeConfig = v.parse(RuntimeConfig, {});
const useConfigStore = create<{ config: RuntimeConfig }>(() => ({ config: UNKNOWN }));

let reading: Promise<RuntimeConfig> | null = null;

/** The gateway's config document: embedded in the page, or fetched once. Without it REST works and live prices do not. */
export function loadRuntimeConfig(): Promise<RuntimeConfig> {
  reading ??= embeddedConfig() ?? fetchConfig();
  return reading;
}

/** Fetches it again; a failure keeps the known config. */
export async function refetchRuntimeConfig(): Promise<void> {
  const config = await read().catch(() => null);
  if (config !== null) reading = Promise.resolve(config);
}

/** The known config, outside React; await `loadRuntimeConfig()` to be sure it is loaded. */
export function runtimeConfig(): RuntimeConfig {
  return useConfigStore.getState().config;
}

/** The config; until it is loaded, prices count as simulated. */
export function useRuntimeConfig(): RuntimeConfig {
  return useConfigStore((state) => state.config);
}

function embeddedConfig(): Promise<RuntimeConfig> | null {
  const text = document.getElementById('runtime-config')?.textContent;
  return text ? Promise.resolve(applyConfig(JSON.parse(text))) : null;
}

function fetchConfig(): Promise<RuntimeConfig> {
  return read().catch(() => {
    reading = null;
    return UNKNOWN;
  });
}

async function read(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`config.json answered ${response.status}`);
  return applyConfig(await response.json());
}

function applyConfig(given: unknown): RuntimeConfig {
  const config = v.parse(RuntimeConfig, given);
  useConfigStore.setState({ config });
  if (config.maintenanceUntil === null) endMaintenance();
  else startMaintenance(config.maintenanceUntil);
  return config;
}
