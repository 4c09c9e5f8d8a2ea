// Starts nginx as a peer for one measurement, with separate folder and ports.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { required, sleep } from './harness.mjs';

export const NGINX = '/usr/sbin/nginx';

/** Ports that no other part of the bench installation uses, and below those that the system gives to whoever connects. */
export const PORTS = { edge: 29811, nchan: 29812, proxy: 29813, upstream: 29814 };

/** Writes a configuration around `http` blocks and returns the arguments that nginx is started with. */
export function configured(name, http, modules = []) {
  const folder = `${required('BENCH_RUN_DIR')}/${name}`;
  mkdirSync(folder, { recursive: true });
  const lines = [
    ...modules.map((module) => `load_module /usr/lib/nginx/modules/${module};`),
    // As root it would drop its rights to a user who may not enter the folder.
    ...(process.getuid() === 0 ? ['user root;'] : []),
    'daemon off; worker_processes 1; pid nginx.pid; error_log error.log crit;',
    'events { worker_connections 18000; }',
    'http {',
    'access_log off; tcp_nodelay on; keepalive_requests 1000000000; keepalive_timeout 300;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path ${part};`),
    http,
    '}',
  ];
  writeFileSync(`${folder}/nginx.conf`, lines.join('\n'));
  return ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'];
}

/** Starts it and waits for `port`; `stop()` ends it. */
export async function started(args, port) {
  const child = spawn(NGINX, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (tries > 100 || child.exitCode !== null) throw new Error('nginx did not start');
    await sleep(50);
  }
  const ended = new Promise((resolve) => child.on('close', resolve));
  return {
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(socket.destroy() !== null));
    socket.on('error', () => resolve(false));
  });
}
