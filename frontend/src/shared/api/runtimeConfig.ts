import { create } from 'zustand';
import { recordOf, textOf } from './jsonShape';
import { endMaintenance, startMaintenance } from './maintenance';

/** What an installation reports about itself: the price service and the kind of prices. */
export interface RuntimeConfig {
  siseOrigin: string;
  clock: (typeof CLOCKS)[number];
  feed: string;
  simulated: boolean;
  version: string;
  /** The oldest supported native app, by platform. */
  leastApp: { ios?: string; android?: string };
  /** When the product opens again; null while it is open. */
  maintenanceUntil: string | null;
}

const CLOCKS = ['practice', 'exchange', 'replay'] as const;
const READ_TIMEOUT_MS = 5_000;
const UNKNOWN = configOf({});
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
  const fields = recordOf(given);
  if (fields === null) throw new Error('config.json is no object');
  const config = configOf(fields);
  useConfigStore.setState({ config });
  if (config.maintenanceUntil === null) endMaintenance();
  else startMaintenance(config.maintenanceUntil);
  return config;
}

/** Each field that is missing or of another kind gets its default. */
function configOf({ siseOrigin, clock, feed, simulated, version, leastApp, maintenanceUntil }: Record<string, unknown>): RuntimeConfig {
  return {
    siseOrigin: textOf(siseOrigin),
    clock: CLOCKS.find((known) => known === clock) ?? 'practice',
    feed: textOf(feed),
    simulated: simulated !== false,
    version: textOf(version),
    leastApp: leastAppOf(recordOf(leastApp) ?? {}),
    maintenanceUntil: typeof maintenanceUntil === 'string' ? maintenanceUntil : null,
  };
}

function leastAppOf({ ios, android }: Record<string, unknown>): RuntimeConfig['leastApp'] {
  return { ...(typeof ios === 'string' && { ios }), ...(typeof android === 'string' && { android }) };
}
