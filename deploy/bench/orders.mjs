// Orders per second through trading, compared with pgbench.
import { compare } from './harness.mjs';
import { pgbench, trading } from './pgbench.mjs';

export async function orders() {
  await compare('orders placed, one limit buy each', 'orders', trading('orders'), await pgbench('order_limit'), { atLeast: 1.0 });
}
