// A native shell for trying out the client: run `npm run shell -- [product's origin]` and open the printed address. It proxies
// a running product, injects player.js into its pages, and serves the panel at /__shell/. Nothing of this folder is built or
// shipped.
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES: Record<string, string> = { '': 'panel.html', 'panel.js': 'panel.js', 'player.js': 'player.js' };
const PREFIX = '/__shell/';
const PLAYER = `<script src="${PREFIX}player.js"></script>`;
const folder = fileURLToPath(new URL('.', import.meta.url));

export interface NativeShell {
  /** The client's address; the panel is at its /__shell/. */
  origin: string;
  close: () => Promise<void>;
}

/** Proxies the product at `product`. Uses free ports unless `port` names the first of two. */
export async function openNativeShell(product: string, port = 0): Promise<NativeShell> {
  const { siseOrigin } = (await (await fetch(`${product}/config.json`)).json()) as { siseOrigin: string };
  const names = new Map<string, string>();
  const sise = await listen(siseOrigin, product, names, port === 0 ? 0 : port + 1);
  const main = await listen(product, product, names, port);
  names.set(siseOrigin, originOf(sise)).set(product, originOf(main));
  names.set(siseOrigin.replace(/^http/, 'ws'), originOf(sise).replace(/^http/, 'ws'));
  return { origin: originOf(main), close: async () => void (await Promise.all([main, sise].map(close))) };
}

/** A proxy to `target` that looks like the product's own origin. */
function listen(target: string, product: string, names: ReadonlyMap<string, string>, port: number): Promise<Server> {
  const { hostname, port: targetPort, host } = new URL(target);
  const headersFor = ({ headers }: IncomingMessage) => ({ ...headers, host, ...(headers.origin && { origin: product }) });
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith(PREFIX)) {
      sendOwn(incoming.url.slice(PREFIX.length), outgoing);
      return;
    }
    // Rewritten replies must not be compressed.
    const headers = { ...headersFor(incoming), 'accept-encoding': 'identity' };
    const asked = request({ hostname, port: targetPort, path: incoming.url, method: incoming.method, headers }, (answer) =>
      passOn(incoming.url, answer, outgoing, names),
    );
    asked.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(asked);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const onward = connect(Number(targetPort), hostname, () => {
      const lines = Object.entries(headersFor(incoming)).map(([name, value]) => `${name}: ${String(value)}`);
      onward.write(`GET ${incoming.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

function passOn(path: string | undefined, answer: IncomingMessage, outgoing: ServerResponse, names: ReadonlyMap<string, string>): void {
  const renamed = (text: string) => [...names].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(renamed) : value && renamed(value)]),
  );
  const isPage = answer.headers['content-type']?.startsWith('text/html') === true;
  if (!isPage && path !== '/config.json') {
    outgoing.writeHead(answer.statusCode ?? 502, headers);
    answer.pipe(outgoing);
    return;
  }
  const parts: Buffer[] = [];
  answer.on('data', (part: Buffer) => parts.push(part));
  answer.on('end', () => {
    const text = Buffer.concat(parts).toString('utf8');
    // The page embeds the config.
    const body = isPage ? renamed(text).replace('<head>', `<head>${PLAYER}`) : renamed(text);
    delete headers['content-length'];
    outgoing.writeHead(answer.statusCode ?? 502, headers).end(body);
  });
}

function sendOwn(name: string, outgoing: ServerResponse): void {
  const file = FILES[name];
  if (!file) {
    outgoing.writeHead(404).end();
    return;
  }
  outgoing.writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' });
  createReadStream(join(folder, file)).pipe(outgoing);
}

function originOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { origin } = await openNativeShell(process.argv[2] ?? 'http://localhost:8080', 5180);
  console.log(`native shell: ${origin}${PREFIX}`);
}
