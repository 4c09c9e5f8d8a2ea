// A close, a share split and a night of maturities that affect very many accounts, interrupted three
// times, while other members place orders: measures the duration, and the increase of order latency.
// Then the start of a shard with very many open orders.
import { ROUNDS, database, heading, judge, output, program } from './harness.mjs';

/** Of a close or a split there are fewer rounds than elsewhere: one takes two minutes. */
const FEW = 3;
const EVENTS = [
  { event: 'close', accounts: 100_000, orders: 3, done: 300_000, rounds: FEW, ratio: 1.5, what: '300,000 waiting orders of 100,000 accounts end' },
  { event: 'split', accounts: 200_000, orders: 0, done: 200_000, rounds: FEW, ratio: 1.5, what: 'a share held by 200,000 accounts is split' },
  { event: 'mature', accounts: 100_000, orders: 0, done: 100_000, rounds: ROUNDS, ratio: 1.3, what: '100,000 contracts mature, half of them savings plans, and are paid out, kept or renewed' },
];

const p99 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

export async function largeBatches() {
  const tool = await program('large_batches');
  for (const { event, accounts, orders, done, rounds, ratio, what } of EVENTS) {
    heading(what);
    const options = ['--event', event, '--accounts', String(accounts), '--orders', String(orders)];
    const [seconds, ratios] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      const printed = await output(tool, options, { BENCH_DATABASE_URL: await database(`large_${event}`) });
      const result = JSON.parse(printed);
      if (result.done !== done) throw new Error(`${result.done} instead of ${done} were done`);
      const [quiet, meanwhile] = [p99(result.quietUs), p99(result.meanwhileUs)];
      const [took, ms] = [(result.tookMs / 1000).toFixed(1), (us) => (us / 1000).toFixed(1)];
      console.log(`  round ${round}: ${took} s, broken off ${result.kills} times; order p99 ${ms(meanwhile)} ms, ${ms(quiet)} ms in a quiet time`);
      seconds.push(result.tookMs / 1000);
      ratios.push(meanwhile / quiet);
    }
    judge({ name: 'seconds', atMost: 60 }, seconds);
    judge({ name: 'order p99, ratio to a quiet time', atMost: ratio }, ratios);
  }
  heading('a shard starts with 1,000,000 waiting orders');
  const options = ['--event', 'start', '--accounts', '250000', '--orders', '4'];
  const started = JSON.parse(await output(tool, options, { BENCH_DATABASE_URL: await database('large_start') }));
  if (started.done !== 1_000_000) throw new Error(`${started.done} orders wait`);
  judge({ name: 'seconds', atMost: 60 }, [started.tookMs / 1000]);
  judge({ name: 'megabytes of memory', atMost: 2_048 }, [started.peakMb]);
}
