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

// Read by every process's log filter, not by its own configuration.
const READ_BY_ALL = ['RUST_LOG'];

/**
 * Settings of a process for a command (`run`, `migrate`): all `known` and the `required` ones.
 */
export function settingsOf(process, word) {
  const known = new Set(READ_BY_ALL);
  const required = new Set();
  for (const file of configFiles(join(PROCESSES[process], 'src'))) {
    const source = readFileSync(file, 'utf8');
    for (const { owner, name, isRequired } of settingsIn(source)) {
      const isOfMigration = owner.startsWith('Migrate');
      const isOfOther = !isOfMigration && owner !== 'Config' && owner !== 'Cli' && !/Config$/.test(owner);
      if (word === 'migrate' ? !isOfMigration : isOfMigration || isOfOther || owner.startsWith('Audit')) continue;
      known.add(name);
      if (isRequired) required.add(name);
    }
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

function settingsIn(source) {
  const found = [];
  let owner = '';
  const pieces = source.matchAll(/pub struct (\w+)|#\[arg\(([^\]]*?)\)\]\s*pub (\w+): ([^\n]+),/g);
  for (const [, struct, attributes, , type] of pieces) {
    if (struct !== undefined) owner = struct;
    const name = /env = "(\w+)"/.exec(attributes ?? '')?.[1];
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
