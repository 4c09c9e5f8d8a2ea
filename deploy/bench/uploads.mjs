// Two hundred uploads at once, two of each member, of photos and drawings of 12 megapixels: none is
// lost, memory is bounded, and other requests hardly notice.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SECONDS, groupTogether, inTurn, output, peakBytes, pidOf, program, required, resetPeak, sleep } from './harness.mjs';
import { lines } from './pictures.mjs';
import { CODE, get, load, members, request } from './requests.mjs';

const UPLOADS = Number(process.env.BENCH_UPLOADS ?? 200);
/** Received at once of one member (`middleware/upload_turns.rs` of the gateway). */
const OF_MEMBER = 2;
const POSTS = 20;
const READERS = 20;
// One core can serve them beside everything else.
const READS_PER_SECOND = 120;
const PROCESSES = ['gateway', 'community', 'market-data', 'auth', 'trading', 'edge', 'postgres', 'rabbitmq', 'redis'];

/** Of what community receives from one gateway, 16 files of 5 MB, and of 40 megapixels, ten bytes each (`pictures/decoding.rs`). */
const COMMUNITY_MB = 16 * 5 + 40 * 10;
/** Of 16 that are handed on, six messages of 64 kB each and the megabyte that HTTP/2 sends ahead; of 240 that wait, a socket that is read 128 kB ahead, in a buffer that doubles, and 32 kB of its body. */
const GATEWAY_MB = 16 * (6 / 16 + 1) + 240 * 0.3;

export async function uploads() {
  const folder = `${required('BENCH_RUN_DIR')}/pictures`;
  mkdirSync(folder, { recursive: true });
  const files = lines(await output(await program('pictures'), ['honest', folder]));
  console.log(`  ${files.length} pictures of 12 megapixels, ${megabytes(Math.min(...lengths(files)))} to ${megabytes(Math.max(...lengths(files)))} MB`);
  await written(await members(POSTS / 2));
  const apart = groupTogether(PROCESSES.map(pidOf));
  // How long they are watched: what came after the last upload would count as quiet.
  let seconds = SECONDS;
  const crowded = async () => {
    const senders = await members(Math.ceil(UPLOADS / OF_MEMBER));
    const readers = await reads();
    await sleep(1000);
    const [gateway, community] = ['gateway', 'community'].map(pidOf);
    const before = { gateway: resetPeak(gateway), community: resetPeak(community) };
    const sending = sent(folder, files, senders);
    const found = await watched(readers, seconds);
    const { answers, tookMs } = await sending;
    const grown = { gateway: peakBytes(gateway) - before.gateway, community: peakBytes(community) - before.community };
    await allServed(answers, senders);
    console.log(
      `    ${answers.length} uploads in ${(tookMs / 1000).toFixed(1)} s, watched for ${seconds} s of it: none lost; gateway ${megabytes(before.gateway)} MB and ${megabytes(grown.gateway)} more, community ${megabytes(before.community)} MB and ${megabytes(grown.community)} more`,
    );
    if (tookMs < seconds * 1000) console.log('    they ended before they were watched to the end');
    seconds = Math.max(2, Math.min(60, Math.floor((tookMs / 1000) * 0.8)));
    return { ...found, grown };
  };
  const quiet = async () => watched(await reads(), seconds);
  const ratio = (kind) => ({ quiet: before, crowded: during }) => during[kind].p99Ms / before[kind].p99Ms;
  const good = ({ crowded: { list, item } }) => (100 * (list.good + item.good)) / (list.asked + item.asked);
  try {
    await inTurn(`${UPLOADS} uploads at once`, { quiet, crowded }, [
      { name: 'p99 of the list of posts / in a quiet time', of: ratio('list'), atMost: 1.5 },
      { name: 'p99 of an instrument / in a quiet time', of: ratio('item'), atMost: 1.5 },
      { name: 'other requests answered, of a hundred', of: good, atLeast: 100 },
      { name: 'megabytes that community grew by', of: ({ crowded: { grown } }) => grown.community / 1e6, atMost: COMMUNITY_MB },
      { name: 'megabytes that the gateway grew by', of: ({ crowded: { grown } }) => grown.gateway / 1e6, atMost: GATEWAY_MB },
    ]);
  } finally {
    apart();
    rmSync(folder, { recursive: true });
  }
}

const lengths = (files) => files.map(({ length }) => length);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

async function written(authors) {
  for (const { memberSid, token } of authors) {
    for (const content of ['오늘은 한 주만 사 봤어요', '내일 장이 열리면 다시 볼게요']) {
      await asked('/api/v1/community/post', token, { memberSid, category: 'FREE', content });
    }
  }
}

async function asked(path, token, body) {
  const answer = await fetch(`${required('BENCH_GATEWAY_ORIGIN')}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
}

// New members each time: a token is good for 15 minutes.
async function reads() {
  const readers = await members(READERS);
  await get('/api/v1/community/list', readers[0].token);
  return readers.flatMap(({ token }) => [
    request('GET', '/api/v1/community/list', { token, kind: 'list' }),
    request('GET', `/api/v1/stock/real/code/${CODE}`, { token, kind: 'item' }),
  ]);
}

async function watched(prepared, seconds) {
  const steady = { mode: 'fixed', rate: READS_PER_SECOND, connections: 32, seconds, ahead: true };
  const { classes } = await load(required('BENCH_GATEWAY_ORIGIN'), prepared, steady);
  const all = (found) => Object.values(found.statuses).reduce((sum, count) => sum + count, found.failed + found.unasked);
  const [list, item] = [classes.list, classes.item].map((found) => ({ ...found, asked: all(found) }));
  console.log(`    list p99 ${list.p99Ms.toFixed(1)} ms, instrument p99 ${item.p99Ms.toFixed(1)} ms`);
  return { list, item };
}

// By a process that takes nothing from those who are watched.
async function sent(folder, files, senders) {
  const plan = Array.from({ length: UPLOADS }, (_, index) => ({ path: files[index % files.length].path, token: senders[index % senders.length].token }));
  const file = `${folder}/plan.json`;
  writeFileSync(file, JSON.stringify(plan));
  const program = fileURLToPath(new URL('send_uploads.mjs', import.meta.url));
  return JSON.parse(await output('chrt', ['--idle', '0', 'taskset', '-c', '1', process.execPath, program, required('BENCH_GATEWAY_ORIGIN'), file]));
}

// Each picture is there in both sizes; then it is deleted, so that members and the disk have room.
async function allServed(answers, senders) {
  const lost = answers.filter(({ status }) => status !== 200);
  if (lost.length > 0) throw new Error(`${lost.length} of ${answers.length} uploads were lost: ${JSON.stringify(lost.slice(0, 3))}`);
  const urls = new Set(answers.map(({ url }) => url));
  if (urls.size !== answers.length) throw new Error(`${answers.length} uploads have ${urls.size} urls`);
  for (const [index, { url, thumbUrl }] of answers.entries()) {
    for (const path of [url, thumbUrl]) {
      const file = await fetch(`${required('BENCH_GATEWAY_ORIGIN')}${path}`);
      const start = Buffer.from(await file.arrayBuffer()).subarray(0, 2).toString('hex');
      if (file.status !== 200 || start !== 'ffd8') throw new Error(`${path} is not served: ${file.status}`);
    }
    await asked('/api/v1/file/delete', senders[index % senders.length].token, { target_image: url });
  }
}
