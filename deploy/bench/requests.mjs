// Prepared requests for the load program, and members who may send them.
import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { output, program, required } from './harness.mjs';

// Below the queue of password hashes.
const JOIN_AT_ONCE = 8;

/** `count` new members, joined through the API: a sid and an access token, good for 15 minutes. */
export async function members(count) {
  const joined = [];
  while (joined.length < count) {
    const some = Math.min(JOIN_AT_ONCE, count - joined.length);
    joined.push(...(await Promise.all(Array.from({ length: some }, join))));
  }
  return joined;
}

async function join() {
  const name = randomUUID().replaceAll('-', '');
  const person = {
    ...{ email: `${name}@example.com`, password: randomUUID(), nickname: `벤치${name.slice(0, 8)}`, birthYear: 1990 },
    ...{ termsAgreed: true, privacyAgreed: true, age14: true },
  };
  const answer = await fetch(`${required('BENCH_GATEWAY_ORIGIN')}/api/v1/auth/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': someAddress() },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(`nobody can join: ${answer.status} ${await answer.text()}`);
  const { memberSid, accessToken } = await answer.json();
  return { memberSid, token: accessToken };
}

/** A random address, as a proxy reports it. */
export function someAddress() {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** One request in the format of the load program. */
export function request(method, path, { token, body, from, kind = 'all' } = {}) {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: bench', 'Accept: application/json'];
  if (token) lines.push(`Authorization: Bearer ${token}`);
  if (from) lines.push(`X-Forwarded-For: ${from}`);
  if (body) lines.push('Content-Type: application/json');
  return `class ${kind}\n${lines.join('\n')}\n\n${body ? JSON.stringify(body) : ''}`;
}

/** A buy of one share at the day's lower limit: it stays open and never fills. */
export function buy(member, price, more = {}) {
  const order = { acno: '00', isuSrtCd: CODE, juPrc: price, juQty: 1, memberSid: member.memberSid, orderGb: '매수주문', orderCategory: 'STOCK', ...more };
  return request('POST', '/api/v1/stock/order', { token: member.token, body: order, kind: 'order' });
}

/** The instrument that is traded and asked for. */
export const CODE = '005930';

/** Asks the gateway for JSON. */
export async function get(path, token) {
  const answer = await fetch(`${required('BENCH_GATEWAY_ORIGIN')}${path}`, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/**
 * Sends prepared requests to `origin` on the second core; returns the load program's counts.
 * With `ahead` it runs before all else on its core, where the machine allows that: callers are
 * elsewhere, and what they measure must not hold their own wait for a busy server's core.
 */
export async function load(origin, prepared, { ahead = false, ...options }) {
  const folder = `${required('BENCH_RUN_DIR')}/requests`;
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${randomUUID()}`;
  writeFileSync(file, prepared.join('\n---\n'));
  const words = Object.entries(options).flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, String(value)]));
  const tool = await program('http_load');
  const [command, ...before] = [...(ahead && mayRunAhead() ? ['chrt', '--fifo', '1'] : []), 'taskset', '-c', '1', tool];
  const address = new URL(origin).host.replace('localhost', '127.0.0.1');
  return JSON.parse(await output(command, [...before, '--address', address, '--requests', file, ...words]));
}

function mayRunAhead() {
  return spawnSync('chrt', ['--fifo', '1', 'true'], { stdio: 'ignore' }).status === 0;
}
