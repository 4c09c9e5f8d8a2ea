// Time from the delivery of a tick batch to trading until its fills are committed, with a hundred
// thousand open orders in a separate database, a few of which each batch fills.
import { ROUNDS, database, heading, judge, output, program } from './harness.mjs';

const BATCHES_A_ROUND = 200;
const WAITING = 100_000;

export async function matching() {
  heading(`a batch of ticks, with ${WAITING} orders waiting`);
  const tool = await program('matching');
  const batches = BATCHES_A_ROUND * ROUNDS;
  const printed = await output(tool, ['--waiting', String(WAITING), '--batches', String(batches)], { BENCH_DATABASE_URL: await database('matching') });
  const { timesUs, fills, loadedMs } = JSON.parse(printed);
  console.log(`  ${fills} fills of ${batches} batches; the waiting orders were loaded in ${loadedMs} ms`);
  const rounds = Array.from({ length: ROUNDS }, (_, round) => timesUs.slice(round * BATCHES_A_ROUND, (round + 1) * BATCHES_A_ROUND).sort((a, b) => a - b));
  const at = (share) => rounds.map((times) => times[Math.floor(times.length * share)] / 1000);
  judge({ name: 'milliseconds until the fills are committed (p50)' }, at(0.5));
  judge({ name: 'milliseconds until the fills are committed (p99)', atMost: 50 }, at(0.99));
}
