// A GET that carries a token and is answered by a service behind the gateway, beside nginx that
// passes the same GET on to a server of a file with the same bytes.
import { writeFileSync } from 'node:fs';
import { SECONDS, cpuSeconds, inTurn, keepTo, pidOf, required } from './harness.mjs';
import { PORTS, configured, started } from './nginx.mjs';
import { CODE, get, load, members, request } from './requests.mjs';

const PATH = `/api/v1/stock/real/code/${CODE}`;

export async function proxied() {
  const [{ token }] = await members(1);
  const item = await get(PATH, token);
  const args = configured(
    'proxy',
    `upstream behind { server 127.0.0.1:${PORTS.upstream}; keepalive 64; }
     server { listen 127.0.0.1:${PORTS.upstream}; location / { default_type application/json; try_files /item.json =404; root .; } }
     server { listen 127.0.0.1:${PORTS.proxy}; location / { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ""; } }`,
  );
  writeFileSync(`${required('BENCH_RUN_DIR')}/proxy/item.json`, JSON.stringify(item));
  const nginx = await started(args, PORTS.proxy);
  const ours = [pidOf('gateway'), pidOf('market-data')];
  keepTo('0', [...ours, nginx.pid]);
  const side = (origin, pids) => async () => {
    const before = cpuSeconds(pids);
    const { classes } = await load(origin, [request('GET', PATH, { token })], { connections: 64, seconds: SECONDS });
    const perCpuSecond = classes.all.good / (cpuSeconds(pids) - before);
    if (classes.all.good === 0) throw new Error(`nothing was answered well: ${JSON.stringify(classes.all)}`);
    console.log(`    ${origin}: ${Math.round(classes.all.goodPerSecond)} a second, p99 ${classes.all.p99Ms.toFixed(1)} ms`);
    return { rate: classes.all.goodPerSecond, perCpuSecond };
  };
  try {
    await inTurn(
      'a GET with a token, through the gateway to a service',
      { gateway: side(required('BENCH_GATEWAY_ORIGIN'), ours), nginx: side(`http://127.0.0.1:${PORTS.proxy}`, [nginx.pid]) },
      [
        { name: 'requests a second / nginx proxy_pass', of: ({ gateway, nginx: peer }) => gateway.rate / peer.rate, atLeast: 0.7 },
        { name: 'the same per cpu second', of: ({ gateway, nginx: peer }) => gateway.perCpuSecond / peer.perCpuSecond },
      ],
    );
  } finally {
    keepTo('0-1', ours);
    await nginx.stop();
  }
}
