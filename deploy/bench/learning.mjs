// The service of learning alone, on a database of its own: first sets, answers, and the search.
import { ROUNDS, heading, judge, output, program, required } from './harness.mjs';

export async function learning() {
  heading('first sets of 20,000 members, 2,000 answers a second, and a search over ten times the content');
  const environment = { DATABASE_URL: required('BENCH_SERVER_DATABASE_URL'), BENCH_ROUNDS: String(ROUNDS) };
  const printed = (await output(await program('learning'), [], environment)).trim().split('\n');
  for (const line of printed.slice(0, -1)) console.log(`  ${line}`);
  const result = JSON.parse(printed.at(-1));
  judge({ name: 'seconds for the first sets', atMost: 60 }, [result.firstSetsSeconds]);
  judge({ name: 'answers a second', atLeast: 2_000 }, result.answersPerSecond);
  judge({ name: 'p99 of an answer in milliseconds at 2,000 a second', atMost: 50 }, result.p99Ms);
  judge({ name: 'p99 of a search in milliseconds', atMost: 5 }, [result.searchP99Ms]);
}
