import * as v from 'valibot';

const RuntimeConfig = v.object({
  siseOrigin: v.fallback(v.string(), ''),
  clock: v.fallback(v.picklist(['practice', 'exchange', 'replay']), 'practice'),
  simulated: v.fallback(v.boolean(), true),
  version: v.fallback(v.string(), ''),
});

export type RuntimeConfig = v.InferOutput<typeof RuntimeConfig>;

let current: RuntimeConfig = v.parse(RuntimeConfig, {});

/** What this installation said about itself at start. */
export function runtimeConfig(): RuntimeConfig {
  return current;
}

/** Reads the gateway's config document. Without it the client still starts: REST works, live prices do not. */
export async function loadRuntimeConfig(): Promise<void> {
  try {
    const response = await fetch('/config.json', { signal: AbortSignal.timeout(5_000) });
    if (response.ok) current = v.parse(RuntimeConfig, await response.json());
  } catch {
    // The screens show their own error and offline states; there is nothing better to say here.
  }
}
