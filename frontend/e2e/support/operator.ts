import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Session } from './books';
import { product } from './product';

const PROCESS = fileURLToPath(new URL('../../../deploy/local/process.sh', import.meta.url));

/** Gives a member cash, as the operator does on the machine. */
export const grantCash = ({ memberSid }: Session, cash: number): void => {
  execFileSync(PROCESS, ['trading', 'grant-cash', String(memberSid), String(cash), 'journey'], {
    env: { ...process.env, INSTANCE: product.instance },
    stdio: 'ignore',
  });
};

/** Executes a command of the community's moderators on the machine, and returns what it prints. */
export const moderate = (...args: string[]): string =>
  execFileSync(PROCESS, ['community', 'moderation', ...args], { env: { ...process.env, INSTANCE: product.instance }, encoding: 'utf8' });
