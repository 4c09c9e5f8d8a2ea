// What every measurement shares: subject and peer in turn, the median of the ratios of the rounds,
// the processor time that each needed, and how busy the machine was with other things.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Rounds of one comparison; the first, which warms caches, is not counted. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** How long one side of a round lasts, in seconds. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);

/** The environment variable NAME, which the calling script must have set. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through make bench`);
  return value;
}

/** The process and all of its descendants. */
export function family(pid) {
  const children = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = statOf(entry)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found = [pid];
  for (let next = 0; next < found.length; next += 1) found.push(...(children.get(found[next]) ?? []));
  return found;
}

/** Processor seconds used so far by processes and their descendants, ended ones included. */
export function cpuSeconds(pids) {
  return pids.flatMap(family).reduce((sum, pid) => sum + (statOf(pid)?.cpuSeconds ?? 0), 0);
}

/** Resident memory of one process that no other shares, in bytes. */
export function privateBytes(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
  return kilobytes.reduce((sum, [, value]) => sum + Number(value) * 1024, 0);
}

/** The pid that a process of the running product wrote down. */
export function pidOf(name) {
  return Number(readFileSync(`${required('BENCH_RUN_DIR')}/pid/${name}.child`, 'utf8').trim());
}

/** Runs a command to its end and returns what it printed. */
export function output(command, args, environment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let complaints = '';
    child.stdout.on('data', (data) => (printed += data));
    child.stderr.on('data', (data) => (complaints += data));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${command} ended with ${code}: ${complaints.slice(-2000)}${printed.slice(-500)}`)),
    );
  });
}

/**
 * Runs `subject` and `peer` in turn. Each is `{ name, pids, run }`, where `run()` returns units of
 * work per second. Prints each round and returns the median ratio of subject to peer.
 */
export async function compare(title, unit, subject, peer, { atLeast, rounds = ROUNDS } = {}) {
  heading(title);
  const ratios = [];
  const perCpuSecond = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await measured(subject);
    const theirs = await measured(peer);
    const ratio = ours.rate / theirs.rate;
    const isWarmUp = round === 0;
    if (!isWarmUp) {
      ratios.push(ratio);
      perCpuSecond.push(ours.perCpuSecond / theirs.perCpuSecond);
    }
    console.log(
      `  ${isWarmUp ? 'warm-up' : `round ${round}`}  ${shown(subject, ours, unit)}  ${shown(peer, theirs, unit)}  ratio ${ratio.toFixed(2)}  load ${loadAverage()}`,
    );
  }
  const result = summary(ratios);
  const verdict = atLeast === undefined ? '' : result.median >= atLeast ? `, at least ${atLeast}: reached` : `, at least ${atLeast}: MISSED`;
  console.log(`  => ${subject.name} / ${peer.name}: median ${result.median.toFixed(2)} (${result.low.toFixed(2)} to ${result.high.toFixed(2)})${verdict}`);
  console.log(`     per processor second: median ${summary(perCpuSecond).median.toFixed(2)}`);
  return result.median;
}

/** Prints the title of a measurement and what the machine is. */
export function heading(title) {
  console.log(`\n${title}  (${availableParallelism()} cores, load ${loadAverage()})`);
}

/** Median, lowest and highest of some numbers. */
export function summary(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, low: sorted[0], high: sorted.at(-1) };
}

export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function measured(side) {
  const before = cpuSeconds(side.pids());
  const started = process.hrtime.bigint();
  const rate = await side.run();
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const used = cpuSeconds(side.pids()) - before;
  return { rate, perCpuSecond: used > 0 ? (rate * seconds) / used : Number.NaN };
}

function shown(side, { rate, perCpuSecond }, unit) {
  return `${side.name} ${Math.round(rate)} ${unit}/s (${Math.round(perCpuSecond)} per cpu s)`;
}

function loadAverage() {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
}

// Fields of /proc/PID/stat are counted after the name, which may contain blanks.
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}
