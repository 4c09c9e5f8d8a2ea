// Time that a batch of ticks takes longer for 100,000 price alerts in memory, a few of which fire.
import { ROUNDS, heading, judge, output, program } from './harness.mjs';

const ALERTS = 100_000;

export async function alerts() {
  heading(`a batch of ticks of all instruments, with ${ALERTS} price alerts`);
  const tool = await program('alerts_evaluated');
  const milliseconds = { p50: [], p99: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const result = JSON.parse(await output(tool, [], { BENCH_ALERTS: String(ALERTS) }));
    if (result.waiting !== ALERTS) throw new Error(`${result.waiting} alerts wait instead of ${ALERTS}`);
    if (result.fired === 0) throw new Error('no alert fired');
    console.log(`  round ${round}: p50 ${result.batch_p50_us} µs, p99 ${result.batch_p99_us} µs, at most ${result.batch_max_us} µs; ${result.fired} alerts fired`);
    milliseconds.p50.push(result.batch_p50_us / 1000);
    milliseconds.p99.push(result.batch_p99_us / 1000);
  }
  judge({ name: 'milliseconds of a batch (p50)' }, milliseconds.p50);
  judge({ name: 'milliseconds of a batch (p99)', atMost: 5 }, milliseconds.p99);
}
