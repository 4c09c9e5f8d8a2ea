// The two sides of a comparison of trading with pgbench: the load program asks the running service,
// and pgbench commits the same rows, one act per commit, in a separate database on the same server.
import { SECONDS, database, output, pidOf, required } from './harness.mjs';

/** Connections and clients of both sides. */
export const CLIENTS = process.env.BENCH_CLIENTS ?? '64';

/** The running service; `mode` is what its clients do. */
export function trading(mode, words = [], environment = {}) {
  return {
    name: 'seedup',
    pids: () => [pidOf('trading'), pidOf('postgres')],
    run: async () => Number(/: (\d+) a second/.exec(await asked(mode, words, environment))[1]),
  };
}

/** Runs the load program once; `words` are added to its command line. */
export function asked(mode, words = [], environment = {}) {
  return output(`${required('BENCH_BIN_DIR')}/trading-bench`, ['--mode', mode, ...words], {
    TRADING_URL: required('BENCH_TRADING_URL'),
    BENCH_CLIENTS: CLIENTS,
    BENCH_SECONDS: String(SECONDS),
    ...environment,
  });
}

/** pgbench with `benches/NAME.pgbench`, on a database that `benches/NAME.sql` has filled. */
export async function pgbench(name, variables = {}) {
  const files = `${required('BENCH_ROOT')}/services/main/trading/benches`;
  const copy = await emptyCopy(name);
  const given = (option, values) => Object.entries(values).flatMap(([key, value]) => [option, `${key}=${value}`]);
  await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', ...given('-v', variables), copy, '-f', `${files}/${name}.sql`]);
  return {
    name: 'pgbench',
    pids: () => [pidOf('postgres')],
    async run() {
      const printed = await output(`${required('BENCH_PG_BIN')}/pgbench`, [
        ...['-n', '-M', 'prepared', '-c', CLIENTS, '-j', '1', '-T', String(SECONDS)],
        ...given('-D', { ...variables, clients: CLIENTS }),
        ...['-f', `${files}/${name}.pgbench`, copy],
      ]);
      return Number(/tps = ([\d.]+)/.exec(printed)[1]);
    },
  };
}

// The product would read the peer's rows in its own tables.
async function emptyCopy(name) {
  const copy = await database(name);
  const file = `${required('BENCH_RUN_DIR')}/structure.sql`;
  const product = required('BENCH_SERVER_DATABASE_URL').replace(/[^/]*$/, 'seedup_trading');
  await output('pg_dump', ['--schema-only', '--no-owner', '--no-privileges', '-f', file, product]);
  await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', copy, '-f', file]);
  return copy;
}
