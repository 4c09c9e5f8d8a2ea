// Load for the test of backups: members and the responses they received.
//   load.mjs run STATE UNTIL      joins, orders, renewals and likes until the file UNTIL is there;
//                                 STATE then holds every answer with its time
//   load.mjs ask-mail EMAIL       asks for a link to set a new password
//   load.mjs upload FILE          uploads a picture and writes where it is, and its bytes
//   load.mjs picture FILE         fails when another is there now
//   load.mjs prices FILE          writes the last prices
//   load.mjs same-market FILE     fails when prices went on from elsewhere than those of FILE
//   load.mjs check STATE FROM TO  compares a restored product with the answers; the backup holds
//                                 what was answered before FROM and nothing asked for after TO (ms)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const ORIGIN = process.env.PUBLIC_ORIGIN ?? 'http://localhost:8080';
const RUN = Date.now().toString(36);
const PASSWORD = 'correct horse battery';
const ACTING = 6;
// Within the minutes of a restore; another market is a tenth and more away.
const PRICE_MOVE_MOST = 0.03;
const CODES = ['005930', '000660', '035420', '069500'];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const pick = (list) => list[Math.floor(Math.random() * list.length)];

async function call(method, path, body, token) {
  const asked = Date.now();
  try {
    const answer = await fetch(`${ORIGIN}/api/v1/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'SeedUpTest/1', ...(token && { Authorization: `Bearer ${token}` }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    return { status: answer.status, replayed: answer.headers.has('idempotent-replayed'), body: text ? JSON.parse(text) : {}, asked, answered: Date.now() };
  } catch (error) {
    return { status: 0, body: { reason: String(error) }, asked, answered: Date.now() };
  }
}

async function join(email, nickname) {
  const answer = await call('POST', 'auth/join', {
    email, password: PASSWORD, nickname, birthYear: 1999, termsAgreed: true, privacyAgreed: true, age14: true,
  });
  if (answer.status !== 200) return { answer };
  const { memberSid, accessToken, refreshToken } = answer.body;
  const token = { refresh: refreshToken, asked: answer.asked, answered: answer.answered };
  return { answer, member: { id: memberSid, email, answered: answer.answered, access: accessToken, tokens: [token], orders: [], likes: [] } };
}

const orderBody = (member, reqSid) => ({
  isuSrtCd: 'KRW-BTC', juPrc: null, juQty: 0.0001, memberSid: member.id, orderGb: '매수주문', orderCategory: 'COIN', riskAck: true, reqSid,
});

async function run(state, until) {
  const members = [];
  let index = 0;
  const over = () => existsSync(until);
  const joining = async () => {
    while (!over()) {
      index += 1;
      const { member } = await join(`b${index}-${RUN}@example.com`, `b${index}x${RUN.slice(-6)}`);
      // Half of them leave their session as it is.
      if (member) members.push({ ...member, isRenewing: members.length % 2 === 0 });
      await pause(20);
    }
  };
  const acting = async () => {
    while (!over()) {
      const member = pick(members);
      if (!member || member.isBusy) { await pause(5); continue; }
      member.isBusy = true;
      await pick(member.isRenewing ? [order, like, renew] : [order, like])(member);
      member.isBusy = false;
    }
  };
  await Promise.all([joining(), joining(), ...Array.from({ length: ACTING }, acting)]);
  writeFileSync(state, JSON.stringify(members));
  const count = (of) => members.reduce((sum, member) => sum + member[of].length, 0);
  console.log(`load: ${members.length} members joined, ${count('orders')} orders, ${count('likes')} likes, ${count('tokens')} sessions begun or renewed`);
}

async function order(member) {
  const reqSid = `backup-${crypto.randomUUID()}`;
  const answer = await call('POST', 'coin/order', orderBody(member, reqSid), member.access);
  if (answer.status === 200) member.orders.push({ reqSid, id: answer.body.orderSid ?? answer.body.order?.orderSid, asked: answer.asked, answered: answer.answered });
}

async function like(member) {
  const code = pick(CODES);
  if (member.likes.some((one) => one.code === code)) return;
  const answer = await call('PUT', 'member/stock-like', { memberSid: member.id, targetCode: code, like: true, type: 'STOCK' }, member.access);
  if (answer.status < 300 && answer.status > 0) member.likes.push({ code, answered: answer.answered });
}

async function renew(member) {
  const answer = await call('POST', 'auth/refresh-refresh-token', { refreshToken: member.tokens.at(-1).refresh });
  if (answer.status !== 200) { member.tokens.at(-1).isUnsure = true; return; }
  member.access = answer.body.accessToken;
  member.tokens.push({ refresh: answer.body.refreshToken, asked: answer.asked, answered: answer.answered });
}

async function askMail(email) {
  const answer = await call('PUT', `auth/password/email/${encodeURIComponent(email)}`, {});
  if (answer.status !== 204) throw new Error(`no mail: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function sameMarket(file) {
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const now = await prices();
  const moves = Object.entries(before).filter(([code]) => now[code]).map(([code, price]) => [Math.abs(now[code] / price - 1), code]);
  moves.sort(([one], [other]) => other - one);
  const [most, code] = moves[0] ?? [1, 'nothing'];
  console.log(`prices: ${moves.length} compared, the largest move is ${(100 * most).toFixed(2)} % (${code})`);
  if (moves.length < 5 || most > PRICE_MOVE_MOST) process.exit(1);
}

async function writePrices(file) {
  writeFileSync(file, JSON.stringify(await prices()));
}

async function prices() {
  const { body } = await call('GET', 'stock/popular/member/0');
  const found = {};
  const walk = (value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === 'object') {
      if (value.isuSrtCd && value.trdPrc > 0) found[value.isuSrtCd] = value.trdPrc;
      Object.values(value).forEach(walk);
    }
  };
  walk(body);
  if (Object.keys(found).length < 5) throw new Error(`hardly any prices: ${JSON.stringify(body).slice(0, 300)}`);
  return found;
}

async function check(state, fromText, toText) {
  const members = JSON.parse(readFileSync(state, 'utf8'));
  const [from, to] = [Number(fromText), Number(toText)];
  const counts = { kept: 0, lost: 0, sessions: 0, ended: 0, repeated: 0, anew: 0, likes: 0 };
  const problems = [];
  const wrong = (text) => problems.push(text);
  const highest = Math.max(...members.map((member) => member.id));
  const highestOrder = Math.max(...members.flatMap((member) => member.orders.map((one) => one.id)));
  if (!Number.isFinite(highestOrder)) wrong('no order was ever answered');

  // Sessions first: a login would end nothing, but a renewal moves on.
  for (const member of members) {
    const [last, previous] = [member.tokens.at(-1), member.tokens.at(-2)];
    if (last.isUnsure) continue;
    const isKept = last.answered < from;
    const isLost = last.asked > to;
    if (!isKept && !isLost) continue;
    // A member who renewed afterwards shows a token the restored product never gave.
    const answer = await call('POST', 'auth/refresh-refresh-token', { refreshToken: last.refresh });
    if (isKept && answer.status === 200) { counts.sessions += 1; member.access = answer.body.accessToken; }
    else if (isKept) wrong(`the session of ${member.email} should go on: ${answer.status} ${answer.body.reason}`);
    else if (answer.status === 401) counts.ended += 1;
    else wrong(`a token of after the backup was answered with ${answer.status} (before it: ${previous?.answered})`);
  }
  for (const member of sample(members.filter((one) => one.answered < from), 8)) {
    const answer = await call('POST', 'auth/login', { email: member.email, password: PASSWORD });
    if (answer.status !== 200) { wrong(`${member.email} cannot log in: ${answer.status} ${answer.body.reason}`); continue; }
    if (answer.body.memberSid !== member.id) wrong(`${member.email} was ${member.id} and is ${answer.body.memberSid}`);
    member.access = answer.body.accessToken;
    counts.kept += 1;
    const { body } = await call('GET', `stock/member/${member.id}/stock-like`, undefined, member.access);
    for (const { code } of member.likes.filter((one) => one.answered < from)) {
      if (JSON.stringify(body).includes(code)) counts.likes += 1;
      else wrong(`${member.email} liked ${code}: ${JSON.stringify(body)}`);
    }
    for (const one of member.orders) {
      if (one.answered >= from && one.asked <= to) continue;
      const again = await call('POST', 'coin/order', orderBody(member, one.reqSid), member.access);
      const id = again.body.orderSid ?? again.body.order?.orderSid;
      if (one.answered < from) {
        if (again.status !== 200 || id !== one.id || !again.replayed) wrong(`order ${one.id} repeated: ${again.status} ${id} ${again.body.reason ?? ''}`);
        else counts.repeated += 1;
      } else if (again.status === 200) {
        if (id <= highestOrder) wrong(`order ${id} is a number that was given out before`);
        else counts.anew += 1;
      }
    }
  }
  for (const member of sample(members.filter((one) => one.answered > to + 1000), 4)) {
    const answer = await call('POST', 'auth/login', { email: member.email, password: PASSWORD });
    if (answer.status === 401) counts.lost += 1;
    else wrong(`${member.email} joined after the backup and is answered ${answer.status}`);
    // An access token of the lost time names a member that nobody may become.
    const seen = await call('GET', `invest/account/${member.id}`, undefined, member.access);
    if (seen.status !== 401) wrong(`the token of ${member.id}, who joined after the backup, is answered ${seen.status}`);
  }
  const { answer, member } = await join(`after-${RUN}@example.com`, `after${RUN.slice(-6)}`);
  if (!member) wrong(`nobody can join: ${answer.status} ${JSON.stringify(answer.body)}`);
  else if (member.id <= highest) wrong(`the new member is ${member.id}, a number of up to ${highest} that was given out before`);
  if (counts.kept === 0) wrong('no member could be compared');
  console.log(`check: ${JSON.stringify(counts)}`);
  for (const problem of problems.slice(0, 20)) console.log(`WRONG ${problem}`);
  process.exit(problems.length > 0 ? 1 : 0);
}

// A white pixel.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==';

async function upload(file) {
  const { member } = await join(`picture-${RUN}@example.com`, `p${RUN.slice(-6)}x`);
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(PNG, 'base64')]), 'picture.png');
  const answer = await fetch(`${ORIGIN}/api/v1/file/upload`, { method: 'POST', headers: { Authorization: `Bearer ${member.access}` }, body: form });
  if (answer.status !== 200) throw new Error(`no picture was taken: ${answer.status} ${await answer.text()}`);
  const { url, thumbUrl } = await answer.json();
  writeFileSync(file, JSON.stringify({ [url]: await bytesOf(url), [thumbUrl]: await bytesOf(thumbUrl) }));
}

async function picture(file) {
  for (const [url, bytes] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
    if ((await bytesOf(url)) !== bytes) throw new Error(`${url} is another picture`);
  }
}

async function bytesOf(url) {
  const answer = await fetch(`${ORIGIN}${url}`);
  if (answer.status !== 200) throw new Error(`${url} is not served: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer()).toString('base64');
}

function sample(list, count) {
  return [...list].sort(() => Math.random() - 0.5).slice(0, count);
}

const [word, ...rest] = process.argv.slice(2);
const words = { run, check, 'ask-mail': askMail, upload, picture, prices: writePrices, 'same-market': sameMarket };
await words[word](...rest);
