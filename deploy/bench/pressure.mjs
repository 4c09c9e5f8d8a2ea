// Orders under overload, through the gateway: a thousand copies of one order, a login storm, and
// three times the peak load.
import { randomUUID } from 'node:crypto';
import { SECONDS, groupTogether, inTurn, keepTo, pidOf, required } from './harness.mjs';
import { CODE, buy, get, load, members, request, someAddress } from './requests.mjs';

const COPIES = 1000;
// One core can serve them beside everything else.
const ORDERS_PER_SECOND = 60;
// Enough orders for a p99.
const STORM_SECONDS = Math.max(SECONDS, 15);
const PROCESSES = ['gateway', 'trading', 'market-data', 'auth', 'edge', 'postgres', 'rabbitmq', 'redis'];

/** A thousand concurrent copies of one order: one effect, and the same reply to all. */
export async function copies() {
  const [single] = await members(1);
  const { origin, price } = await prepared([single]);
  const alone = async () => (await load(origin, [buy(single, price)], { connections: 1, seconds: 2 })).classes.order;
  const together = async () => {
    // Each time a member who has no order yet.
    const [member] = await members(1);
    await prepared([member]);
    const order = buy(member, price, { reqSid: `copies-${randomUUID()}` });
    const { classes } = await load(origin, [order], { mode: 'once', connections: COPIES, 'patience-ms': 20_000 });
    const { good, differentBodies, statuses, p99Ms } = classes.order;
    const effects = (await get(`/api/v1/stock/wait/member/${member.memberSid}`, member.token)).length;
    if (good !== COPIES || differentBodies !== 1 || effects !== 1) {
      throw new Error(`${good} of ${COPIES} good answers, ${differentBodies} different bodies, ${effects} orders: ${JSON.stringify(statuses)}`);
    }
    console.log(`    ${COPIES} copies: one order, one body, all answered within ${p99Ms.toFixed(0)} ms (p99)`);
    return classes.order;
  };
  await inTurn(`${COPIES} copies of one order at once`, { alone, together }, [
    { name: 'milliseconds until they are answered (p99)', of: ({ together: all }) => all.p99Ms },
    { name: 'time of a copy, of the time of an order alone', of: ({ alone: one, together: all }) => all.p99Ms / COPIES / one.p50Ms },
  ]);
}

/** Ten times as many logins as can be hashed, beside orders at a constant rate. */
export async function storm() {
  const traders = await members(50);
  const { origin, price } = await prepared(traders);
  const logins = Array.from({ length: 5000 }, (_, index) =>
    request('POST', '/api/v1/auth/login', { body: { email: `nobody${index}@example.com`, password: 'not the password' }, from: someAddress(), kind: 'login' }),
  );
  const { classes } = await load(origin, logins, { connections: 4, seconds: 3 });
  const capacity = (classes.login.statuses['401'] ?? 0) / 3;
  console.log(`  ${capacity.toFixed(0)} logins a second can be checked`);
  const orders = traders.map((trader) => buy(trader, price));
  const steady = { mode: 'fixed', rate: ORDERS_PER_SECOND, connections: 32, seconds: STORM_SECONDS, ahead: true };
  const quiet = async () => (await load(origin, orders, steady)).classes.order;
  const stormy = async () => {
    const crowd = load(origin, logins, { mode: 'fixed', rate: Math.ceil(capacity * 10), connections: 200, seconds: STORM_SECONDS + 1, 'patience-ms': 2000, ahead: true });
    const calm = (await load(origin, orders, steady)).classes.order;
    const { login } = (await crowd).classes;
    console.log(`    storm: order p99 ${calm.p99Ms.toFixed(1)} ms, logins ${JSON.stringify(login.statuses)}`);
    return calm;
  };
  const apart = groupTogether(PROCESSES.map(pidOf));
  try {
    await inTurn('orders in a storm of logins', { quiet, stormy }, [
      { name: 'p99 of orders / without the storm', of: ({ quiet: before, stormy: during }) => during.p99Ms / before.p99Ms, atMost: 1.3 },
      { name: 'orders accepted, of a hundred', of: ({ stormy: during }) => (100 * during.good) / (ORDERS_PER_SECOND * STORM_SECONDS), atLeast: 99.9 },
    ]);
  } finally {
    apart();
  }
}

/** Three times the peak rate: goodput must not shrink. */
export async function overload() {
  const traders = await members(200);
  const { origin, price } = await prepared(traders);
  // One request in a hundred is an order: a buyer opens several screens before, each with about ten
  // requests.
  const mix = traders.flatMap((trader, index) => {
    const quote = request('GET', `/api/v1/stock/real/code/${CODE}`, { token: trader.token, kind: 'quote' });
    const searches = ['삼성', '하이닉스', '전자', 'ㅅㅅㅈㅈ', '현대'].map((text) =>
      request('GET', `/api/v1/stock/search/get-stock-list?searchTxt=${encodeURIComponent(text)}&searchType=CS&searchPage=${1 + (index % 2)}`, { token: trader.token, kind: 'search' }),
    );
    const looks = Array.from({ length: 99 }, (_, turn) => (turn % 2 === 0 ? quote : searches[turn % 5]));
    return [buy(trader, price), ...looks];
  });
  const all = PROCESSES.map(pidOf);
  keepTo('0', all);
  let peak = 0;
  const atPeak = async () => {
    const found = await load(origin, mix, { connections: 48, seconds: SECONDS, awake: true });
    peak = found.goodPerSecond;
    return found;
  };
  const beyond = async () => {
    const found = await load(origin, mix, { mode: 'fixed', rate: Math.ceil(peak * 3), connections: 2500, seconds: SECONDS, 'patience-ms': 3000, awake: true });
    const counts = Object.entries(found.classes).map(([name, { good, statuses, unasked }]) => `${name} ${good} good ${JSON.stringify(statuses)}${unasked ? ` ${unasked} not asked any more` : ''}`);
    console.log(`    peak ${Math.round(peak)} a second; beyond: ${counts.join('; ')}`);
    return found;
  };
  const orderShare = ({ classes: { order } }) => order.good / Object.values(order.statuses).reduce((sum, count) => sum + count, order.failed + order.unasked);
  try {
    await inTurn('three times the load that can be carried', { atPeak, beyond }, [
      { name: 'good answers a second / at the peak', of: ({ atPeak: before, beyond: during }) => during.goodPerSecond / before.goodPerSecond, atLeast: 0.9 },
      { name: 'orders accepted, of a hundred', of: ({ beyond: during }) => 100 * orderShare(during), atLeast: 99.9 },
    ]);
  } finally {
    keepTo('0-1', all);
  }
}

// Opens the accounts and reads the lowest price of the day.
async function prepared(traders) {
  for (const { memberSid, token } of traders) await get(`/api/v1/invest/account/${memberSid}`, token);
  const item = await get(`/api/v1/stock/real/code/${CODE}`);
  return { origin: required('BENCH_GATEWAY_ORIGIN'), price: item.lowerLimit };
}
