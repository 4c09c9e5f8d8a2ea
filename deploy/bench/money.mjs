// Money that moves without an order, through trading, compared with pgbench: won between two accounts
// of a member, and an item that is paid in won.
import { compare, output, required } from './harness.mjs';
import { CLIENTS, asked, pgbench, trading } from './pgbench.mjs';

/** So many that none reaches the limit of a day, and a multiple of the clients, so that no two use one member at a time. */
const MEMBERS = 100 * Number(CLIENTS);
/** None of the shop's own can be owned any number of times. */
const ITEM = 1000;
const ACTS = [
  { mode: 'transfers', what: 'transfers between two accounts of a member', peer: 'transfer_limit' },
  { mode: 'purchases', what: 'purchases of an item', peer: 'purchase_limit' },
];

export async function money() {
  await offerItem();
  for (const { mode, what, peer } of ACTS) {
    const environment = { BENCH_MEMBERS: String(MEMBERS), BENCH_ITEM: String(ITEM) };
    await asked(mode, [], { ...environment, BENCH_SECONDS: '1' });
    // As the peer's rows are: the accounts were opened a moment ago.
    await inProduct('analyze');
    const ours = trading(mode, ['--opened'], environment);
    await compare(what, mode, ours, await pgbench(peer, { members: MEMBERS }), { atLeast: 0.5 });
  }
}

async function offerItem() {
  const insert = `insert into item (id, name, category, slot, currency, price, effect, picture, is_listed)
    values (${ITEM}, '측정용 명패', 'COLLECTIBLE', 'PLATE', 'KRW', 1000, '측정에만 써요.', 'plate-wood', true) on conflict do nothing`;
  await inProduct(insert);
}

async function inProduct(sql) {
  const product = required('BENCH_SERVER_DATABASE_URL').replace(/[^/]*$/, 'seedup_trading');
  await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', product, '-c', sql]);
}
