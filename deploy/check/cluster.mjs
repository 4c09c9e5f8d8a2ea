// References between the parts of a cluster: node cluster.mjs PRODUCT SERVERS OBSERVABILITY, each
// rendered. Every referenced secret, database, server and job must exist.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { ROOT } from './settings.mjs';

const [product, servers, observability] = process.argv.slice(2).map((file) => yaml.loadAll(readFileSync(file, 'utf8')).filter(Boolean));
const all = [...product, ...servers, ...observability];
const environment = { ...process.env, SMTP_URL: 'smtps://user:word@mail.example.com' };
const secrets = yaml.loadAll(execFileSync(join(ROOT, 'k8s/secrets.sh'), ['--print'], { env: environment, encoding: 'utf8' })).filter(Boolean);
const problems = [];
const complain = (text) => problems.push(text);
const secretOf = (namespace, name) => secrets.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
const valueOf = (secret, key) => Buffer.from(secret?.data[key] ?? '', 'base64').toString();

for (const object of all) walk(object, object.metadata.namespace ?? 'seedup', `${object.kind} ${object.metadata.name}`);
for (const name of ['auth', 'trading', 'market', 'education', 'community']) checkDatabase(name);
checkAddresses();
checkJobs();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

// References to secrets and images, wherever they stand.
function walk(value, namespace, where) {
  if (value === null || typeof value !== 'object') return;
  if (value.secretKeyRef) wanted(namespace, value.secretKeyRef.name, value.secretKeyRef.key, where);
  if (typeof value.secretName === 'string') wanted(namespace, value.secretName, undefined, where);
  if (value.externalSecret) wanted(namespace, value.externalSecret.name, 'default_user.conf', where);
  if (value.passwordSecret) wanted(namespace, value.passwordSecret.name, 'password', where);
  if (value.initdb) wanted(namespace, value.initdb.secret.name, 'password', where);
  for (const image of [value.image, value.imageName]) {
    if (typeof image === 'string' && (!/:[\w.-]+$/.test(image) || image.endsWith(':latest'))) complain(`${where}: ${image} has no version`);
  }
  for (const one of Object.values(value)) walk(one, namespace, where);
}

function wanted(namespace, name, key, where) {
  const secret = secretOf(namespace, name);
  if (!secret) complain(`${where}: secrets.sh makes no ${namespace}/${name}`);
  else if (key && !(key in secret.data)) complain(`${where}: ${namespace}/${name} has no ${key}`);
}

// The same roles and grants as on one machine.
function checkDatabase(name) {
  const cluster = servers.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === name);
  if (!cluster) return complain(`${name} has no database`);
  const { database, owner, secret, postInitApplicationSQL } = cluster.spec.bootstrap.initdb;
  const app = cluster.spec.managed.roles.find((role) => role.name === `seedup_${name}_app`);
  if (database !== `seedup_${name}` || owner !== `seedup_${name}_owner` || !app) return complain(`the database of ${name} or its roles have other names`);
  const script = readFileSync(join(ROOT, 'deploy/compose/databases.sh'), 'utf8').replaceAll('${name}', name);
  const statements = [...script.matchAll(/^\s+((?:alter|grant) [^;']*);$/gm)].map(([, statement]) => statement);
  for (const statement of statements) if (!postInitApplicationSQL.includes(statement)) complain(`the database of ${name} lacks: ${statement}`);
  for (const [key, role, source] of [['owner-url', owner, secret.name], ['app-url', app.name, app.passwordSecret.name]]) {
    const url = new URL(valueOf(secretOf('seedup', `seedup-${name}-database`), key));
    const { username, password } = { username: valueOf(secretOf('seedup-servers', source), 'username'), password: valueOf(secretOf('seedup-servers', source), 'password') };
    if (url.username !== role || url.username !== username || url.password !== password) complain(`${key} of ${name} logs in as somebody else than ${role}`);
    if (url.host !== `${name}-rw.seedup-servers.svc:5432` || url.pathname !== `/${database}`) complain(`${key} of ${name} leads to ${url.host}${url.pathname}`);
  }
}

function checkAddresses() {
  const urls = secretOf('seedup', 'seedup-servers');
  for (const [key, kind] of [['redis-url', 'Service'], ['amqp-url', 'RabbitmqCluster']]) {
    const [name, namespace] = new URL(valueOf(urls, key)).hostname.split('.');
    if (!servers.some((one) => one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace)) complain(`${key} leads to no ${kind}`);
  }
  // Policies of the product let through to namespaces by a label.
  for (const [objects, role] of [[servers, 'servers'], [observability, 'monitoring']]) {
    if (objects.find(({ kind }) => kind === 'Namespace').metadata.labels['network.seedup/role'] !== role) complain(`no namespace plays the role ${role}`);
  }
}

// The alerts are the same, so the jobs must be.
function checkJobs() {
  const namesOf = (file) => yaml.load(readFileSync(join(ROOT, file), 'utf8')).scrape_configs.map((job) => job.job_name).sort().join(', ');
  const here = namesOf('k8s/observability/scrape.yaml');
  const there = [...namesOf('deploy/observability/prometheus.yaml').split(', '), 'backup'].sort().join(', ');
  if (here !== there) complain(`the cluster scrapes [${here}], and compose [${there}]`);
}
