// Expand and contract: a migration that was released never changes, and one added since leaves a
// schema on which the last release still works, because its pods run beside the new ones during a
// rollout and again after a rollback.
//   node migrations.mjs           checks
//   node migrations.mjs release   records the migrations of a new release
// A statement that removes something needs `-- contract: REASON` above it, once no running release
// uses it; one that changes something compatibly needs `-- compatible: REASON`.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lint } from './expand-only.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
// As sha256sum writes it.
const RELEASED = join(ROOT, 'deploy/released.sha256');

const files = migrations();
if (process.argv[2] === 'release') {
  writeFileSync(RELEASED, files.map((file) => `${sum(file)}  ${file}\n`).join(''));
} else {
  const problems = check();
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exit(1);
  }
}

function check() {
  const problems = [];
  const released = new Map(readFileSync(RELEASED, 'utf8').trim().split('\n').map((line) => line.split('  ').reverse()));
  for (const [file, wanted] of released) {
    if (!existsSync(join(ROOT, file))) problems.push(`${file} was released and is missing`);
    else if (sum(file) !== wanted) problems.push(`${file} was released and has changed`);
  }
  for (const folder of new Set(files.map(dirname))) {
    const added = files.filter((file) => dirname(file) === folder && !released.has(file));
    const newest = [...released.keys()].filter((file) => dirname(file) === folder).sort().at(-1) ?? '';
    for (const file of added) if (file < newest) problems.push(`${file} is older than the released ${basename(newest)}`);
    problems.push(...lint(added.map((file) => ({ file, sql: readFileSync(join(ROOT, file), 'utf8') }))));
  }
  return problems;
}

function migrations() {
  return ['main', 'sise']
    .flatMap((side) => readdirSync(join(ROOT, 'services', side)).map((name) => `services/${side}/${name}/migrations`))
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.sql')).map((name) => `${folder}/${name}`))
    .sort();
}

function sum(file) {
  return createHash('sha256').update(readFileSync(join(ROOT, file))).digest('hex');
}
