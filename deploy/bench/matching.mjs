// From the delivery of a tick batch to trading until its fills are committed, with a hundred
// thousand orders waiting in a database of its own and a handful of them reached by each batch.
import { ROUNDS, heading, judge, output, program, required } from './harness.mjs';

const BATCHES_A_ROUND = 200;
const WAITING = 100_000;

export async function matching() {
  heading(`a batch of ticks, with ${WAITING} orders waiting`);
  const server = required('BENCH_SERVER_DATABASE_URL');
  const name = 'seedup_bench_matching';
  for (const words of [`drop database if exists ${name}`, `create database ${name} template template0 encoding 'UTF8'`]) {
    await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', server, '-c', words]);
  }
  const tool = await program('matching');
  const database = server.replace(/[^/]*$/, name);
  const batches = BATCHES_A_ROUND * ROUNDS;
  const printed = await output(tool, ['--waiting', String(WAITING), '--batches', String(batches)], { BENCH_DATABASE_URL: database });
  const { timesUs, fills, loadedMs } = JSON.parse(printed);
  console.log(`  ${fills} fills of ${batches} batches; the waiting orders were loaded in ${loadedMs} ms`);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => timesUs.slice(round * BATCHES_A_ROUND, (round + 1) * BATCHES_A_ROUND).sort((a, b) => a - b));
  const at = (share) => rounds.map((times) => times[Math.floor(times.length * share)] / 1000);
  judge({ name: 'milliseconds until the fills are committed (p50)' }, at(0.5));
  judge({ name: 'milliseconds until the fills are committed (p99)', atMost: 50 }, at(0.99));
}
