// A GET with a token that a service behind the gateway serves from memory, compared with nginx that
// proxies the same GET to another nginx, which serves a file of the same bytes. Each side is a proxy
// and a service, started on one core with the threads that fit it; the load runs on the other core.
// `many` reads a hundred instruments in turn as ten members, so that few requests are coalesced.
import { writeFileSync } from 'node:fs';
import { SECONDS, cpuSeconds, inTurn, keepTo, keeperOf, pidOf, required, sleep } from './harness.mjs';
import { PORTS, configured, started } from './nginx.mjs';
import { CODE, get, load, members, request } from './requests.mjs';

const PATH = `/api/v1/stock/real/code/${CODE}`;
const SUBJECTS = ['market-data', 'gateway'];
const READY_WITHIN_S = 60;

export async function proxied() {
  const callers = await members(10);
  const [{ token }] = callers;
  const item = await get(PATH, token);
  const codes = (await Promise.all([1, 2, 3, 4, 5].map((page) => get(`/api/v1/stock/list?page=${page}`, token)))).flatMap(({ items }) =>
    items.map(({ isuSrtCd }) => isuSrtCd),
  );
  const upstream = configured(
    'upstream',
    `server { listen 127.0.0.1:${PORTS.upstream}; location / { default_type application/json; try_files /item.json =404; root .; open_file_cache max=10; } }`,
  );
  writeFileSync(`${required('BENCH_RUN_DIR')}/upstream/item.json`, JSON.stringify(item));
  const proxy = configured(
    'proxy',
    `upstream behind { server 127.0.0.1:${PORTS.upstream}; keepalive 64; }
     server { listen 127.0.0.1:${PORTS.proxy}; location / { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ""; } }`,
  );
  await restartedOn('0');
  const ours = SUBJECTS.map(pidOf);
  const behind = await started(upstream, PORTS.upstream);
  const front = await started(proxy, PORTS.proxy);
  const theirs = [front.pid, behind.pid];
  keepTo('0', theirs);
  const one = [request('GET', PATH, { token })];
  const many = codes.map((code, index) => request('GET', `/api/v1/stock/real/code/${code}`, { token: callers[index % callers.length].token }));
  const side = (origin, pids, asked) => async () => {
    const before = cpuSeconds(pids);
    const { classes } = await load(origin, asked, { connections: 64, seconds: SECONDS });
    const perCpuSecond = classes.all.good / (cpuSeconds(pids) - before);
    if (classes.all.good === 0) throw new Error(`nothing was answered well: ${JSON.stringify(classes.all)}`);
    console.log(`    ${origin}: ${Math.round(classes.all.goodPerSecond)} a second, p99 ${classes.all.p99Ms.toFixed(1)} ms`);
    return { rate: classes.all.goodPerSecond, perCpuSecond };
  };
  try {
    await inTurn(
      'a GET with a token, through the gateway to a service',
      {
        gateway: side(required('BENCH_GATEWAY_ORIGIN'), ours, one),
        nginx: side(`http://127.0.0.1:${PORTS.proxy}`, theirs, one),
        many: side(required('BENCH_GATEWAY_ORIGIN'), ours, many),
      },
      [
        { name: 'requests a second / nginx proxy_pass', of: ({ gateway, nginx: peer }) => gateway.rate / peer.rate, atLeast: 0.7 },
        { name: 'the same per cpu second', of: ({ gateway, nginx: peer }) => gateway.perCpuSecond / peer.perCpuSecond },
        { name: 'many instruments and members, per cpu second', of: ({ many: mixed, nginx: peer }) => mixed.perCpuSecond / peer.perCpuSecond },
      ],
    );
  } finally {
    await front.stop();
    await behind.stop();
    await restartedOn('0-1');
  }
}

/** Ends our side, which is then started again with the threads that `cores` call for, and waits until it answers. */
async function restartedOn(cores) {
  keepTo(cores, SUBJECTS.map(keeperOf));
  const ended = SUBJECTS.map(pidOf);
  for (const pid of ended) process.kill(pid);
  for (let second = 0; second < READY_WITHIN_S; second += 1) {
    await sleep(1000);
    const isNew = SUBJECTS.every((name, index) => pidOf(name) !== ended[index]);
    if (isNew && (await get(PATH).catch(() => null)) !== null) return;
  }
  throw new Error(`${SUBJECTS.join(' and ')} do not answer ${READY_WITHIN_S} s after their end`);
}
