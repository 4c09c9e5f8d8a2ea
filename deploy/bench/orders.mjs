// Orders per second through trading, compared with pgbench, which commits the same rows, one order
// per commit, in a separate database on the same server.
import { compare, output, pidOf, required, SECONDS } from './harness.mjs';

export async function orders() {
  const files = `${required('BENCH_ROOT')}/services/main/trading/benches`;
  const database = await emptyCopy();
  await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', database, '-f', `${files}/order_limit.sql`]);
  const clients = process.env.BENCH_CLIENTS ?? '64';
  const ours = {
    name: 'seedup',
    pids: () => [pidOf('trading'), pidOf('postgres')],
    async run() {
      const printed = await output(`${required('BENCH_BIN_DIR')}/trading-bench`, [], {
        TRADING_URL: required('BENCH_TRADING_URL'),
        BENCH_CLIENTS: clients,
        BENCH_SECONDS: String(SECONDS),
      });
      return Number(/: (\d+) a second/.exec(printed)[1]);
    },
  };
  const pgbench = {
    name: 'pgbench',
    pids: () => [pidOf('postgres')],
    async run() {
      const printed = await output(`${required('BENCH_PG_BIN')}/pgbench`, [
        ...['-n', '-M', 'prepared', '-c', clients, '-j', '1', '-T', String(SECONDS)],
        ...['-f', `${files}/order_limit.pgbench`, database],
      ]);
      return Number(/tps = ([\d.]+)/.exec(printed)[1]);
    },
  };
  await compare('orders placed, one limit buy each', 'orders', ours, pgbench, { atLeast: 1.0 });
}

// The matcher would read the peer's orders in the product's tables.
async function emptyCopy() {
  const server = required('BENCH_SERVER_DATABASE_URL');
  const name = 'seedup_bench_orders';
  const copy = server.replace(/[^/]*$/, name);
  const file = `${required('BENCH_RUN_DIR')}/structure.sql`;
  await output('pg_dump', ['--schema-only', '--no-owner', '--no-privileges', '-f', file, server.replace(/[^/]*$/, 'seedup_trading')]);
  await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', server, '-c', `create database ${name} template template0 encoding 'UTF8'`]);
  await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', copy, '-f', file]);
  return copy;
}
