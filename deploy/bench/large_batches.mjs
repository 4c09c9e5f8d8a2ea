// A close and a share split that affect very many accounts, interrupted three times, while other
// members place orders: measures the duration, and the increase of order latency. Then the start of
// a shard with very many open orders.
import { database, heading, judge, output, program } from './harness.mjs';

/** Fewer than elsewhere: one takes two minutes. */
const ROUNDS = 3;
const EVENTS = [
  { event: 'close', accounts: 100_000, orders: 3, done: 300_000, what: '300,000 waiting orders of 100,000 accounts end' },
  { event: 'split', accounts: 200_000, orders: 0, done: 200_000, what: 'a share held by 200,000 accounts is split' },
];

const p99 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

export async function largeBatches() {
  const tool = await program('large_batches');
  for (const { event, accounts, orders, done, what } of EVENTS) {
    heading(what);
    const options = ['--event', event, '--accounts', String(accounts), '--orders', String(orders)];
    const [seconds, ratios] = [[], []];
    for (let round = 1; round <= ROUNDS; round += 1) {
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
    judge({ name: 'order p99, ratio to a quiet time', atMost: 1.5 }, ratios);
  }
  heading('a shard starts with 1,000,000 waiting orders');
  const options = ['--event', 'start', '--accounts', '250000', '--orders', '4'];
  const started = JSON.parse(await output(tool, options, { BENCH_DATABASE_URL: await database('large_start') }));
  if (started.done !== 1_000_000) throw new Error(`${started.done} orders wait`);
  judge({ name: 'seconds', atMost: 60 }, [started.tookMs / 1000]);
  judge({ name: 'megabytes of memory', atMost: 2_048 }, [started.peakMb]);
}
