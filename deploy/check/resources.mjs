// Checks custom resources against the types of their operators; a server ignores misspelt fields. node resources.mjs FOLDER RENDERED.yaml…
// FOLDER has TypeScript and the types. There are none of RabbitmqCluster; its fields are named here.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';

const PACKAGES = {
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
};
const OF_RABBITMQ = ['replicas', 'image', 'secretBackend', 'persistence', 'rabbitmq', 'resources', 'affinity', 'tolerations', 'service', 'tls', 'override', 'terminationGracePeriodSeconds'];

const [folder, ...files] = process.argv.slice(2);
const problems = [];
const lines = [];
for (const file of files) {
  for (const object of yaml.loadAll(readFileSync(file, 'utf8')).filter(Boolean)) {
    const [group, version] = object.apiVersion.split('/');
    if (PACKAGES[group]) {
      lines.push(`import type { I${object.kind} as T${lines.length} } from '${PACKAGES[group]}/${group}/${version}/${object.kind}';`);
      lines.push(`export const ${object.metadata.name.replaceAll('-', '_')}_${lines.length}: T${lines.length - 1} = ${JSON.stringify(object)};`);
    } else if (group === 'rabbitmq.com') {
      for (const field of Object.keys(object.spec)) if (!OF_RABBITMQ.includes(field)) problems.push(`${object.metadata.name}: there is no field ${field}`);
    }
  }
}
if (lines.length === 0) problems.push('no custom resource was found');
const source = join(folder, 'resources.ts');
writeFileSync(source, lines.join('\n'));
try {
  const tsc = join(folder, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--moduleResolution', 'nodenext', source], { encoding: 'utf8' });
} catch (error) {
  for (const line of error.stdout.split('\n')) {
    const at = /resources\.ts\((\d+),\d+\)/.exec(line);
    if (at) problems.push(`${/const (\w+)_\d+:/.exec(lines[at[1] - 1])?.[1]}: ${line.slice(0, 400)}`);
  }
  if (problems.length === 0) problems.push(error.stdout || error.message);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
