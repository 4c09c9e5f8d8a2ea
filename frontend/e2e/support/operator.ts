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
