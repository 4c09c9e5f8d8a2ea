import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { product } from './product';

export type ProcessName =
  | 'gateway' | 'auth' | 'trading' | 'market-data' | 'edge' | 'postgres' | 'redis' | 'rabbitmq';

/** Kills a process of the running product without warning; its supervisor starts it again. */
export const killProcess = (name: ProcessName): void => {
  const pid = readFileSync(`${product.runDir}/pid/${name}.child`, 'utf8').trim();
  execFileSync('kill', ['-9', pid]);
};

/** Asks again until the answer is a yes, or fails with the reason given. */
export const eventually = async (reason: string, check: () => Promise<boolean>, limitMs = 30_000): Promise<void> => {
  const end = Date.now() + limitMs;
  for (;;) {
    if (await check().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${reason}: not within ${String(limitMs)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
