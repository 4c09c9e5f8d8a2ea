// A stand-in for the product in measurements: the built client, a list of generated stocks, and a socket that changes their
// prices at a given rate. As the real edge does, it sends only subscribed codes.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT_FRAME = 0x81;
const POPULAR = 20;
/** The maximum number of prices in a sparkline. */
const LINE_PRICES = 60;
const SYLLABLES = [...'가나다라마바사아자차카타파하강남동서한국삼성전자화학은행건설'];

export interface ManyRows {
  origin: string;
  /** The number of ticks sent to the page. */
  ticksSent: () => number;
  /** The number of codes subscribed by the latest page. */
  watched: () => number;
  close: () => void;
}

interface Row {
  code: string;
  name: string;
  price: number;
  previousClose: number;
}

/** Serves `count` rows and the client in `dist`, with `ticksPerSecond` for the codes in view. */
export async function serveManyRows(dist: string, count: number, ticksPerSecond: number): Promise<ManyRows> {
  const rows = Array.from({ length: count }, (_, index) => rowOf(index));
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const timers = new Set<ReturnType<typeof setInterval>>();
  let sent = 0;
  let watched: readonly string[] = [];

  const server = createServer((request, response) => answer(request, response, dist, rows));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const key = request.headers['sec-websocket-key'] ?? '';
    const accept = createHash('sha1').update(key + WEBSOCKET_GUID).digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    const inView: string[] = [];
    watched = inView;
    const send = (message: unknown): void => void socket.write(textFrame(JSON.stringify(message)));
    socket.on('data', (data: Buffer) => {
      for (const message of messagesIn(data)) obey(message, inView, send);
    });
    socket.on('error', () => undefined);
    let next = 0;
    const startedMs = Date.now();
    const timer = setInterval(() => {
      // A late timer catches up, so that the rate holds.
      const due = Math.floor(((Date.now() - startedMs) * ticksPerSecond) / 1_000);
      for (; next < due; next += 1) {
        const row = byCode.get(inView[next % Math.max(1, inView.length)] ?? '');
        if (!row) continue;
        row.price += (next % 3 === 0 ? -1 : 1) * 50;
        sent += 1;
        send({ destination: '/stock/realData', payload: [tickOf(row, next)] });
      }
    }, 1_000 / ticksPerSecond);
    timers.add(timer);
    socket.on('close', () => {
      clearInterval(timer);
      timers.delete(timer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    ticksSent: () => sent,
    watched: () => watched.length,
    close: () => {
      for (const timer of timers) clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}

function rowOf(index: number): Row {
  const syllable = (step: number): string => SYLLABLES[(index * step) % SYLLABLES.length] ?? '';
  const previousClose = 1_000 + ((index * 7_919) % 200_000);
  return {
    code: String(100_000 + index),
    name: syllable(7) + syllable(11) + syllable(13) + syllable(17),
    price: previousClose + ((index % 200) - 100) * 5,
    previousClose,
  };
}

function itemOf({ code, name, price, previousClose }: Row): Record<string, unknown> {
  return {
    isuSrtCd: code,
    isuKorNm: name,
    isuEngNm: name,
    marketCode: 'KOSPI',
    exChangeCode: 'KRX',
    currency: 'KRW',
    trdPrc: price,
    prevDdPrc: previousClose,
    flucRt: ((price - previousClose) / previousClose) * 100,
    flucPrc: price - previousClose,
    opnPrc: previousClose,
    hgPrc: price,
    lwPrc: price,
    accVol: 1,
    tickSeq: 1,
    trdDd: '20261121',
    trdTm: '100000',
    session: 'OPEN',
    warnCode: '00',
    halted: false,
    tradable: true,
    like: false,
    unit: '주',
  };
}

function lineOf({ code, price, previousClose }: Row): Record<string, unknown> {
  const wave = (step: number): number => Math.round(Math.sin((step + price) / 5) * previousClose * 0.01);
  return { isuSrtCd: code, prevDdPrc: previousClose, prices: Array.from({ length: LINE_PRICES }, (_, step) => previousClose + wave(step)) };
}

function tickOf({ code, price, previousClose }: Row, number: number): Record<string, unknown> {
  return {
    isu_srt_cd: code,
    trd_prc: price,
    prev_dd_prc: previousClose,
    opn_prc: previousClose,
    hg_prc: price,
    lw_prc: price,
    acc_vol: number,
    tick_seq: number + 2,
    trd_dd: '20261121',
    trd_tm: '100000',
  };
}

function answer(request: IncomingMessage, response: ServerResponse, dist: string, rows: readonly Row[]): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (pathname === '/config.json') {
    json(200, { siseOrigin: `http://${request.headers.host ?? ''}`, clock: 'practice', feed: 'builtin', simulated: true, version: '' });
  } else if (pathname === '/api/v1/stock/list') {
    json(200, { items: rows.map(itemOf), total: rows.length, page: 1, pageSize: rows.length, hasNext: false });
  } else if (/^\/api\/v1\/(stock|coin|commodity)\/popular\//.test(pathname)) {
    json(200, rows.slice(0, POPULAR).map(itemOf));
  } else if (pathname === '/api/v1/market-trend/sparklines') {
    const codes = new Set(searchParams.get('codes')?.split(','));
    json(200, rows.filter(({ code }) => codes.has(code)).map(lineOf));
  } else if (pathname.startsWith('/api/')) {
    json(404, { code: 9002, reason: 'NOT_FOUND', message: '', traceId: '' });
  } else {
    const asked = join(dist, pathname);
    const file = existsSync(asked) && statSync(asked).isFile() ? asked : join(dist, 'index.html');
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  }
}

function obey(message: string, inView: string[], send: (message: unknown) => void): void {
  const { type, codes = [] } = JSON.parse(message) as { type: string; codes?: string[] };
  if (type === 'ping') send({ type: 'pong', open: { KRX: true, US: true, COIN: true, GOLD: true } });
  if (type === 'SUBSCRIBE') inView.push(...codes);
  if (type === 'UNSUBSCRIBE') for (const code of codes) inView.splice(inView.indexOf(code), 1);
}

/** An unmasked text frame, as sent by a server. */
function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = body.length < 126 ? Buffer.from([TEXT_FRAME, body.length]) : Buffer.from([TEXT_FRAME, 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([head, body]);
}

/** The texts of the masked frames sent by a browser; on the same machine each arrives in one piece. */
function messagesIn(data: Buffer): string[] {
  const messages: string[] = [];
  for (let at = 0; at + 2 <= data.length; ) {
    const isText = (data.readUInt8(at) & 0x0f) === 1;
    const short = data.readUInt8(at + 1) & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length = short === 126 ? data.readUInt16BE(at + 2) : short === 127 ? Number(data.readBigUInt64BE(at + 2)) : short;
    const mask = data.subarray(at + 2 + extra, at + 6 + extra);
    const body = Buffer.from(data.subarray(at + 6 + extra, at + 6 + extra + length));
    body.forEach((byte, index) => {
      body[index] = byte ^ (mask[index % 4] ?? 0);
    });
    if (isText) messages.push(body.toString());
    at += 6 + extra + length;
  }
  return messages;
}
