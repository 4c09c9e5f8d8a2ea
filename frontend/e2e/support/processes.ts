import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { product } from './product';

export type ProcessName =
  | 'gateway' | 'auth' | 'trading' | 'market-data' | 'edge' | 'postgres' | 'redis' | 'rabbitmq';

// The second line of a pid file names the process.
const pidOf = (name: ProcessName): string => readFileSync(`${product.runDir}/pid/${name}.child`, 'utf8').split('\n', 1).join('');

/** Kills a process of the running product and waits until its supervisor has restarted it. */
export const killProcess = async (name: ProcessName): Promise<void> => {
  const killed = pidOf(name);
  execFileSync('kill', ['-9', killed]);
  await eventually(`${name} is started again`, () => Promise.resolve(pidOf(name) !== killed && pidOf(name) !== ''), 60_000);
};

/** Polls until the condition holds, or fails with the given reason. */
export const eventually = async (reason: string, check: () => Promise<boolean>, limitMs = 30_000): Promise<void> => {
  const end = Date.now() + limitMs;
  for (;;) {
    if (await check().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`${reason}: not within ${String(limitMs)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
