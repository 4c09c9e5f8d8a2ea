// Ticks per second from a feed through the log to stored candles; none may be lost.
import { heading, output, required, summary } from './harness.mjs';

const RUNS = 3;

export async function ticks() {
  heading('ticks from feed to candle');
  const rates = [];
  for (let run = 0; run < RUNS; run += 1) {
    const printed = await output('cargo', ['bench', '--quiet', '--manifest-path', `${required('BENCH_ROOT')}/services/Cargo.toml`, '--workspace', '--bench', 'tick_to_candle'], {
      DATABASE_URL: required('BENCH_SERVER_DATABASE_URL'),
    });
    const line = printed.split('\n').find((text) => text.includes('ticks/s'));
    if (line === undefined) throw new Error(`no figure: ${printed}`);
    console.log(`  ${line}`);
    rates.push(Number(/: (\d+) ticks\/s/.exec(line)[1]));
  }
  console.log(`  => median ${summary(rates).median} ticks/s`);
}
