// The environment variables of each process, read from its configuration's source.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Processes and the folders of their sources: those that have something to run. */
export const PROCESSES = Object.fromEntries(
  ['main', 'sise'].flatMap((side) =>
    readdirSync(join(ROOT, 'services', side))
      .map((name) => [name, join(ROOT, 'services', side, name)])
      .filter(([, folder]) => existsSync(join(folder, 'src/main.rs'))),
  ),
);

// What the skeleton of every process reads.
const SKELETON = join(ROOT, 'services/crates/bootstrap/src/service/config.rs');

// Read by every process's log filter, not by its own configuration.
const READ_BY_ALL = ['RUST_LOG'];

/**
 * Settings of a process for a command (`run`, `migrate`): all `known` and the `required` ones.
 */
export function settingsOf(process, word) {
  const known = new Set(READ_BY_ALL);
  const required = new Set();
  const own = configFiles(join(PROCESSES[process], 'src')).map((file) => readFileSync(file, 'utf8')).join('\n');
  // Of the skeleton's structs those that the process flattens; `migrate` is the same everywhere.
  const skeleton = settingsIn(readFileSync(SKELETON, 'utf8'), own).filter(
    ({ owner }) => owner.startsWith('Migrate') || new RegExp(`\\b${owner}\\b`).test(own),
  );
  for (const { owner, name, isRequired } of [...settingsIn(own, own), ...skeleton]) {
    const isOfMigration = owner.startsWith('Migrate');
    const isOfOther = !isOfMigration && owner !== 'Config' && owner !== 'Cli' && !/Config$/.test(owner);
    if (word === 'migrate' ? !isOfMigration : isOfMigration || isOfOther || owner.startsWith('Audit')) continue;
    known.add(name);
    if (isRequired) required.add(name);
  }
  return { known, required };
}

/** Every .rs file below a folder. */
export function rustFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return rustFiles(path);
    return entry.name.endsWith('.rs') ? [path] : [];
  });
}

function configFiles(folder) {
  return rustFiles(folder).filter((path) => path.endsWith('/config.rs'));
}

/** `overrides` is the source in which a process changes a setting of the skeleton. */
function settingsIn(source, overrides) {
  const found = [];
  let owner = '';
  const pieces = source.matchAll(/pub struct (\w+)|#\[arg\(([^\]]*?)\)\]\s*pub (\w+): ([^\n]+),/g);
  for (const [, struct, attributes, field, type] of pieces) {
    if (struct !== undefined) owner = struct;
    const renamed = new RegExp(`mut_arg\\("${field}", \\|arg\\|[^\\]]*?env\\("(\\w+)"\\)`).exec(overrides)?.[1];
    const name = renamed ?? /env = "(\w+)"/.exec(attributes ?? '')?.[1];
    if (name === undefined) continue;
    const isRequired = !/default_value/.test(attributes) && !type.startsWith('Option<') && type !== 'bool';
    found.push({ owner, name, isRequired });
  }
  return found;
}

/** Complains about settings that a process does not know or lacks. */
export function checkSettings(process, word, given, complain) {
  const { known, required } = settingsOf(process, word);
  // What is shared by all may be known to some only; a process's own settings may not.
  for (const name of given.own) if (!known.has(name)) complain(`${process} ${word} does not read ${name}`);
  const all = new Set([...given.own, ...given.shared]);
  for (const name of required) if (!all.has(name)) complain(`${process} ${word} does not start without ${name}`);
}
