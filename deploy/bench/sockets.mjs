// Memory of the edge per idle price socket.
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';
import { heading, pidOf, privateBytes, required, sleep } from './harness.mjs';

const SOCKETS = Number(process.env.BENCH_SOCKETS ?? 5000);
// Below what the edge accepts per second.
const BATCH = 40;
const BATCH_EVERY_MS = 100;

export async function sockets() {
  heading(`memory of an idle socket, ${SOCKETS} of them`);
  const address = new URL(required('BENCH_SISE_ORIGIN'));
  await close(await open(address, 200));
  await sleep(2000);
  const edge = pidOf('edge');
  const before = privateBytes(edge);
  const opened = await open(address, SOCKETS);
  // A socket without a subscription receives the popular prices after some seconds.
  await sleep(1000);
  const during = privateBytes(edge);
  await close(opened);
  console.log(`  => ${((during - before) / SOCKETS / 1000).toFixed(1)} kB for each (${(before / 1e6).toFixed(1)} MB before, ${(during / 1e6).toFixed(1)} MB with them)`);
}

/** Opens sockets that subscribe to a destination without any code: they stay silent. */
async function open(address, count) {
  const opened = [];
  for (let next = 0; next < count; next += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - next) }, () => handshake(address));
    opened.push(...(await Promise.all(batch)));
    await sleep(BATCH_EVERY_MS);
  }
  return opened;
}

function handshake(address) {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(address.port), address.hostname);
    socket.on('error', reject);
    socket.once('data', (data) => {
      if (!data.toString('latin1').startsWith('HTTP/1.1 101')) {
        reject(new Error(`no websocket: ${data.toString('latin1').slice(0, 200)}`));
        return;
      }
      socket.resume();
      socket.write(maskedText(JSON.stringify({ type: 'SUBSCRIBE', destination: '/coin/realData', codes: [] })));
      resolve(socket);
    });
    socket.write(
      `GET /ws2 HTTP/1.1\r\nHost: ${address.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
  });
}

/** A text frame of fewer than 126 bytes, masked with zeros as a client may. */
function maskedText(text) {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}

async function close(opened) {
  for (const socket of opened) socket.destroy();
  await sleep(1000);
}
