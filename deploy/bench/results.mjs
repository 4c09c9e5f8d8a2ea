// Keeps the last result of each measurement in RESULTS.md, with the machine, the commit and the date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const FILE = new URL('RESULTS.md', import.meta.url);
const BEGIN = '<!-- written by make bench -->';

/** Runs a measurement and returns what it printed, which is printed all the same. */
export async function recorded(run) {
  const lines = [];
  const { log } = console;
  console.log = (line = '') => {
    lines.push(line);
    log(line);
  };
  try {
    await run();
  } finally {
    console.log = log;
  }
  return lines.join('\n').trim();
}

/** Replaces the section of the measurement `name`; the others stay as they are. */
export function keep(name, printed) {
  const [text, written = ''] = readFileSync(FILE, 'utf8').split(BEGIN);
  const sections = new Map(written.split(/^## /m).slice(1).map((section) => [section.slice(0, section.indexOf('\n')), section]));
  const date = new Date().toISOString().slice(0, 10);
  sections.set(name, `${name}\n${date}, ${commit()}, ${machine()}\n\`\`\`\n${printed}\n\`\`\`\n\n`);
  writeFileSync(FILE, `${text}${BEGIN}\n${[...sections.keys()].sort().map((key) => `## ${sections.get(key)}`).join('').trimEnd()}\n`);
}

function machine() {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model.trim() || 'processor without a name'}`;
}

// "+" after the hash: with changes that are not committed.
function commit() {
  const described = execFileSync('git', ['describe', '--always', '--abbrev=12', '--exclude=*', '--dirty=+'], { cwd: new URL('.', import.meta.url), encoding: 'utf8' });
  return described.trim();
}
