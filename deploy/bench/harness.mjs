// Shared by every measurement: alternating rounds of subject and peer, the median of their ratios,
// the processor time of each, and the load of other programs.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Rounds of a comparison; the first warms caches and is not counted. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** How long one side of a round lasts, in seconds. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);

// A round is discarded if other programs used more than this share of the processor.
const FOREIGN_AT_MOST = 0.2;

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

/** Lets the peak of a process's resident memory begin anew; returns what is resident now, in bytes. */
export function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return statusBytes(pid, 'VmRSS');
}

/** The most resident memory of a process since then, in bytes. */
export function peakBytes(pid) {
  return statusBytes(pid, 'VmHWM');
}

function statusBytes(pid, name) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))[1]) * 1024;
}

// The second line of a pid file says which process it was.
function pidIn(file) {
  return Number(readFileSync(`${required('BENCH_RUN_DIR')}/pid/${file}`, 'utf8').split('\n', 1)[0]);
}

/** The pid of a process of the running product. */
export function pidOf(name) {
  return pidIn(`${name}.child`);
}

/** The pid of its supervisor. */
export function keeperOf(name) {
  return pidIn(name);
}

/** The program of a bench target of the workspace; built if necessary. */
export async function program(bench) {
  const profile = process.env.BENCH_PROFILE === 'dev' ? [] : ['--release'];
  const manifest = `${required('BENCH_ROOT')}/services/Cargo.toml`;
  const printed = await output('cargo', ['build', '--quiet', '--workspace', ...profile, '--bench', bench, '--manifest-path', manifest, '--message-format=json']);
  const built = printed.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const found = built.find((message) => message.executable && message.target.name === bench);
  if (found === undefined) throw new Error(`there is no bench target ${bench}`);
  return found.executable;
}

/** The address of a new database for one measurement, on the server of the running product. */
export async function database(name) {
  const server = required('BENCH_SERVER_DATABASE_URL');
  const database = `seedup_bench_${name}`;
  for (const words of [`drop database if exists ${database}`, `create database ${database} template template0 encoding 'UTF8'`]) {
    await output('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', server, '-c', words]);
  }
  return server.replace(/[^/]*$/, database);
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

/**
 * Runs `sides` (a name and an async function each, which returns figures) in turn and judges the
 * `figures`: `{ name, of(results), atLeast | atMost }`, where `results` has the results of each side.
 * A round in which other programs took more than a fifth of the machine is run again.
 */
export async function inTurn(title, sides, figures, { rounds = ROUNDS } = {}) {
  heading(title);
  const found = figures.map(() => []);
  let disturbed = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const before = machineTime();
    const results = {};
    for (const [name, run] of Object.entries(sides)) results[name] = await run();
    const foreign = foreignShare(before, machineTime());
    const values = figures.map((figure) => figure.of(results));
    const isDisturbed = foreign > FOREIGN_AT_MOST && disturbed < rounds;
    const label = round === 0 ? 'warm-up' : isDisturbed ? 'disturbed' : `round ${round}`;
    const shownValues = figures.map((figure, index) => `${figure.name} ${values[index].toFixed(2)}`).join('  ');
    console.log(`  ${label}  ${shownValues}  (others ${Math.round(foreign * 100)} %)`);
    if (round === 0) continue;
    if (isDisturbed) {
      disturbed += 1;
      round -= 1;
      continue;
    }
    values.forEach((value, index) => found[index].push(value));
  }
  figures.forEach((figure, index) => judge(figure, found[index]));
}

/** Prints median, range and verdict of a figure's rounds. */
export function judge({ name, atLeast, atMost }, values) {
  const { median, low, high } = summary(values);
  let verdict = '';
  if (atLeast !== undefined) verdict = `, at least ${atLeast}: ${median >= atLeast ? 'reached' : 'MISSED'}`;
  if (atMost !== undefined) verdict = `, at most ${atMost}: ${median <= atMost ? 'reached' : 'MISSED'}`;
  console.log(`  => ${name}: median ${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})${verdict}`);
}

/** Keeps processes to some cores (`0`, or `0-1` for all); those that they start follow. */
export function keepTo(cores, pids) {
  for (const pid of pids.flatMap(family)) {
    try {
      execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * Puts processes, and those that they start, into one control group, so that their priorities count
 * between them, as they do in one container or in one session of systemd: without it Linux shares a
 * core among their sessions first. Returns what undoes it. A machine that does not allow it, or has
 * done so already, is left as it is.
 */
export function groupTogether(pids) {
  const top = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'].find((folder) => {
    try {
      return readFileSync(`${folder}/${folder.endsWith('cpu') ? 'cpu.shares' : 'cgroup.subtree_control'}`, 'utf8').match(/\d|cpu\b/);
    } catch {
      return false;
    }
  });
  const group = `${top}/seedup-bench`;
  const move = (folder) => {
    for (const pid of pids.flatMap(family)) {
      try {
        writeFileSync(`${folder}/cgroup.procs`, String(pid));
      } catch (error) {
        // It has ended meanwhile.
        if (error.code !== 'ESRCH') throw error;
      }
    }
  };
  try {
    if (!top || !/^\d+:(cpu)?:\/$/m.test(readFileSync(`/proc/${pids[0]}/cgroup`, 'utf8'))) throw new Error('they are in a group');
    mkdirSync(group, { recursive: true });
    move(group);
  } catch (error) {
    console.log(`  not put into a group of their own: ${error.message}`);
    return () => {};
  }
  return () => {
    move(top);
    rmdirSync(group);
  };
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

// Busy time of the machine, and the part of this program and the running product.
function machineTime() {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).map(Number);
  const [user, nice, system, , , irq, softirq, steal] = fields;
  const folder = `${required('BENCH_RUN_DIR')}/pid`;
  const roots = [process.pid, ...readdirSync(folder).filter((name) => !name.endsWith('.sock')).map(pidIn)];
  const pids = [...new Set(roots.flatMap(family))];
  const ours = pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuSeconds ?? 0), 0);
  return { at: Date.now(), busy: (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND, ours };
}

function foreignShare(before, after) {
  const seconds = ((after.at - before.at) / 1000) * availableParallelism();
  return Math.max(0, (after.busy - before.busy - (after.ours - before.ours)) / seconds);
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
