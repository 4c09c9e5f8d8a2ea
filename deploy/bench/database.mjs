// Compares with PostgreSQL: search among 100,000 names with LIKE, and candle writes with COPY. Both
// are programs of market-data that alternate subject and peer themselves.
import { ROUNDS, heading, judge, output, program, required } from './harness.mjs';

export async function search() {
  heading('search among 100,000 names');
  const { ratios, p99Ms } = await measured('search_names');
  judge({ name: 'times as fast as LIKE of PostgreSQL', atLeast: 10 }, ratios);
  judge({ name: 'p99 of a search in milliseconds', atMost: 2 }, [p99Ms]);
}

export async function candles() {
  heading('rows of candles written');
  const { ratios } = await measured('candles_written');
  judge({ name: 'rows a second / COPY', atLeast: 0.8 }, ratios);
}

async function measured(bench) {
  const environment = { DATABASE_URL: required('BENCH_SERVER_DATABASE_URL'), BENCH_ROUNDS: String(ROUNDS) };
  const printed = (await output(await program(bench), [], environment)).trim().split('\n');
  for (const line of printed.slice(0, -1)) console.log(`  ${line}`);
  return JSON.parse(printed.at(-1));
}
