// Runs all measurements, or the named ones, and keeps what they found: node run.mjs [orders] [fan] …
import { alerts } from './alerts.mjs';
import { boards } from './boards.mjs';
import { community } from './community.mjs';
import { candles, search } from './database.mjs';
import { fan } from './fan.mjs';
import { largeBatches } from './large_batches.mjs';
import { learning } from './learning.mjs';
import { matching } from './matching.mjs';
import { money } from './money.mjs';
import { orders } from './orders.mjs';
import { pictures } from './pictures.mjs';
import { copies, overload, storm } from './pressure.mjs';
import { proxied } from './proxied.mjs';
import { keep, recorded } from './results.mjs';
import { sockets } from './sockets.mjs';
import { ticks } from './ticks.mjs';
import { uploads } from './uploads.mjs';

const MEASUREMENTS = {
  ...{ orders, money, matching, largeBatches, boards, fan, proxied, search, candles, alerts, learning, community },
  ...{ copies, storm, overload, sockets, ticks, uploads, pictures },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0) {
  console.error(`there is no measurement named ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}`);
  process.exit(2);
}
let failures = 0;
for (const name of wanted.length > 0 ? wanted : Object.keys(MEASUREMENTS)) {
  try {
    keep(name, await recorded(MEASUREMENTS[name]));
  } catch (error) {
    failures += 1;
    console.error(`  ${name} could not be measured: ${error.message}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
