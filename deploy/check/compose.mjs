// The product's rules for compose.yaml.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { PROCESSES, ROOT, checkSettings } from './settings.mjs';

const compose = yaml.load(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
const maker = readFileSync(join(ROOT, 'deploy/compose/secrets.sh'), 'utf8');
const problems = [];
const complain = (text) => problems.push(text);
// Set by the image for every process.
const OF_THE_IMAGE = ['ADMIN_ADDR', 'CLIENT_DIR'];
// One-shot services, which end.
const ONE_SHOT = /^(image|migrate-.*)$/;

for (const name of Object.keys(PROCESSES)) if (!compose.services[name]) complain(`${name} is not started`);
for (const [name, service] of Object.entries(compose.services)) checkService(name, service);
for (const [name, secret] of Object.entries(compose.secrets)) {
  if (!secret.file?.startsWith('../.run/compose/secrets/')) complain(`secret ${name} is no file of its folder`);
  if (!isMade(secret.file.split('/').at(-1))) complain(`secrets.sh does not make ${secret.file}`);
}
checkTargets();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function checkService(name, service) {
  const wrong = (text) => complain(`${name}: ${text}`);
  const environment = service.environment ?? {};
  const secrets = (service.secrets ?? []).map((one) => (typeof one === 'string' ? { source: one, target: one } : one));
  for (const { source } of secrets) if (!compose.secrets[source]) wrong(`secret ${source} is not declared`);
  for (const value of Object.values(environment)) if (/:\/\/[^/]*:[^/]*@/.test(value)) wrong('a password stands in its environment');
  for (const [other, { condition }] of Object.entries(waited(service))) {
    if (!compose.services[other]) wrong(`waits for ${other}, which there is not`);
    const wanted = ONE_SHOT.test(other) ? 'service_completed_successfully' : 'service_healthy';
    if (condition !== undefined && condition !== wanted) wrong(`waits for ${other} to be ${condition}`);
  }
  for (const mount of service.volumes ?? []) {
    const [source] = mount.split(':');
    if (source.startsWith('./') && !existsSync(join(ROOT, 'deploy', source))) wrong(`${source} does not exist`);
    if (!/^[./]/.test(source) && !(source in compose.volumes)) wrong(`volume ${source} is not declared`);
  }
  for (const network of service.networks ?? []) if (!(network in compose.networks)) wrong(`network ${network} is not declared`);
  if (service.image?.endsWith(':latest') || (service.image && !service.image.includes(':'))) wrong('its image has no version');
  // What is built here is nowhere to be pulled from.
  if (service.image?.startsWith('seedup') && !service.build && service.pull_policy !== 'never') wrong('its image would be pulled');
  if (!ONE_SHOT.test(name) && service.restart !== 'unless-stopped') wrong('is not started again when it ends');

  const [program, word] = Array.isArray(service.command) ? service.command : [];
  if (service.image !== 'seedup:local' || !(program in PROCESSES)) return;
  if (!service.read_only || !service.cap_drop?.includes('ALL')) wrong('has more rights than it needs');
  const settings = secrets.map((one) => one.target).filter((target) => /^[A-Z_]+$/.test(target));
  const general = Object.keys(compose['x-environment']);
  const own = [...Object.keys(environment).filter((one) => !general.includes(one)), ...settings];
  checkSettings(program, word, { own, shared: [...general, ...OF_THE_IMAGE] }, complain);
  if (word === 'run' && secrets.some((one) => one.source.endsWith('-owner'))) wrong('the running process knows the owner of its tables');
  for (const [setting, value] of Object.entries(environment)) {
    const file = /^\/run\/secrets\/(.*)$/.exec(value)?.[1];
    if (file && !secrets.some((one) => one.target === file)) wrong(`${setting} names ${value}, which is not mounted`);
  }
}

// What Prometheus asks is started, and in a network in which it can be asked.
function checkTargets() {
  const networks = compose.services.prometheus.networks;
  const { scrape_configs: jobs, alerting } = yaml.load(readFileSync(join(ROOT, 'deploy/observability/prometheus.yaml'), 'utf8'));
  const sent = jobs.flatMap((job) => job.relabel_configs ?? []).filter((one) => one.target_label === '__address__').map((one) => one.replacement);
  const asked = [...jobs, ...alerting.alertmanagers].flatMap((one) => one.static_configs ?? []).flatMap((one) => one.targets);
  for (const target of [...asked, ...sent]) {
    const service = compose.services[target.split(':')[0]];
    if (!service) complain(`prometheus asks ${target}, which is not started`);
    else if (!service.networks.some((network) => networks.includes(network))) complain(`prometheus cannot reach ${target}`);
  }
}

function waited(service) {
  const on = service.depends_on ?? {};
  return Array.isArray(on) ? Object.fromEntries(on.map((name) => [name, {}])) : on;
}

// Names are written out there, or with the variables of its loops.
function isMade(file) {
  const pattern = file
    .replace(/^(postgres|url)-(auth|trading|market|education|community)-(owner|app)$/, '$1-$name-$role')
    .replace(/^(auth|market-data)-signing\.pem$/, '$name-signing.pem');
  return maker.includes(pattern);
}
