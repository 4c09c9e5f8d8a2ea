// The product's rules for rendered Kubernetes manifests: node kubernetes.mjs RENDERED.yaml
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { PROCESSES, checkSettings } from './settings.mjs';

// Who may call whom, and which servers each may reach. The network policies must say exactly this.
const CALLS = {
  gateway: ['auth', 'trading', 'market-data', 'education', 'community'],
  edge: ['auth', 'market-data', 'trading'],
  auth: [],
  trading: ['market-data'],
  education: ['trading'],
  community: [],
  'market-data': ['auth'],
};
const SERVER_PORTS = { gateway: [6379], edge: [5672, 6379], auth: [25, 443, 465, 587, 5432, 5672, 6379], trading: [5432, 5672, 6379], education: [5432, 5672], community: [5432, 5672], 'market-data': [5432, 5672, 6379] };
const IN_PUBLIC = ['gateway', 'edge'];

const objects = yaml.loadAll(readFileSync(process.argv[2], 'utf8')).filter(Boolean);
const problems = [];
const complain = (text) => problems.push(text);
const of = (kind) => objects.filter((object) => object.kind === kind);
const named = (kind, name) => of(kind).find((object) => object.metadata.name === name);
const nameOf = (selector) => selector?.matchLabels?.['app.kubernetes.io/name'];
const shared = Object.keys(named('ConfigMap', 'seedup')?.data ?? {});

for (const name of Object.keys(PROCESSES)) if (!named('Deployment', name)) complain(`${name} is not deployed`);
if (of('Secret').length > 0) complain('a secret stands in the manifests; they only refer to secrets');
for (const deployment of of('Deployment')) checkDeployment(deployment);
for (const service of of('Service')) checkService(service);
for (const scaler of of('HorizontalPodAutoscaler')) checkScaler(scaler);
for (const route of of('HTTPRoute')) checkRoute(route);
if (of('Ingress').length > 0) complain('ingress controllers are no longer maintained: a Gateway is wanted');
checkNetwork();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function checkDeployment({ metadata: { name }, spec }) {
  const wrong = (text) => complain(`${name}: ${text}`);
  const pod = spec.template.spec;
  const [container] = pod.containers;
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    if (container[probe]?.httpGet?.port !== 'admin') wrong(`no ${probe} on the admin port`);
  }
  if (container.readinessProbe?.httpGet?.path !== '/readyz' || container.livenessProbe?.httpGet?.path !== '/livez') wrong('probes ask the wrong paths');
  if (pod.automountServiceAccountToken !== false) wrong('holds a token of the cluster');
  if (!pod.securityContext?.runAsNonRoot || pod.securityContext.seccompProfile?.type !== 'RuntimeDefault') wrong('may run as root or without seccomp');
  if (!(pod.terminationGracePeriodSeconds >= 30)) wrong('has no time to drain');
  for (const one of [...(pod.initContainers ?? []), ...pod.containers]) checkContainer(name, one, wrong);
  if (nameOf(spec.selector) !== name || spec.template.metadata.labels['app.kubernetes.io/name'] !== name) wrong('selector and labels differ');

  const isScaled = of('HorizontalPodAutoscaler').some((scaler) => scaler.spec.scaleTargetRef.name === name);
  if (isScaled && spec.replicas !== undefined) wrong('both an autoscaler and a fixed number of replicas');
  if (!isScaled && spec.replicas === undefined) wrong('neither an autoscaler nor a number of replicas');
  if (name === 'market-data') {
    if (spec.replicas !== 1 || spec.strategy.type !== 'Recreate') wrong('more than one writer of the tick log');
  } else {
    if (spec.strategy.rollingUpdate?.maxUnavailable !== 0) wrong('a rollout takes pods away before new ones are ready');
    const keys = (pod.topologySpreadConstraints ?? []).map((constraint) => constraint.topologyKey);
    if (!keys.includes('kubernetes.io/hostname') || !keys.includes('topology.kubernetes.io/zone')) wrong('pods are not spread');
    if (pod.affinity?.podAntiAffinity === undefined) wrong('no anti-affinity');
  }
  const budget = of('PodDisruptionBudget').find((one) => nameOf(one.spec.selector) === name);
  if (budget?.spec.maxUnavailable !== 1) wrong('no disruption budget of one');
}

function checkContainer(deployment, container, wrong) {
  const security = container.securityContext ?? {};
  if (security.allowPrivilegeEscalation !== false || !security.readOnlyRootFilesystem || !security.capabilities?.drop?.includes('ALL')) {
    wrong(`${container.name} has more rights than it needs`);
  }
  const { requests, limits } = container.resources ?? {};
  if (!requests?.cpu || !requests?.memory || !limits?.memory) wrong(`${container.name} states no resources`);
  // Without a tag, or with latest, the cluster would pull what is only loaded.
  if (!/:[\w.-]+$/.test(container.image) || container.image.endsWith(':latest')) wrong(`${container.name} has an image without a version`);
  const [program, word] = container.command;
  if (program !== deployment) wrong(`${container.name} starts ${program}`);
  const own = (container.env ?? []).map((one) => one.name);
  checkSettings(program, word, { own, shared: container.envFrom ? shared : [] }, complain);
  for (const { name, value } of container.env ?? []) {
    if (value !== undefined && /URL$/.test(name)) wrong(`${name} stands in the manifest instead of a secret`);
  }
  if (word === 'run' && own.includes('MIGRATION_DATABASE_URL')) wrong('the running process knows the owner of its tables');
}

function checkService({ metadata: { name }, spec }) {
  const target = named('Deployment', nameOf({ matchLabels: spec.selector }));
  const ports = target?.spec.template.spec.containers[0].ports ?? [];
  for (const port of spec.ports) {
    const found = ports.find((one) => one.name === port.targetPort);
    if (found?.containerPort !== port.port) complain(`service ${name}: port ${port.port} leads nowhere`);
    if (port.targetPort === 'admin') complain(`service ${name}: the admin port is reachable`);
  }
}

function checkRoute({ metadata: { name }, spec }) {
  const gateway = (parent) => named('Gateway', parent.name)?.spec.listeners.find((listener) => listener.name === parent.sectionName);
  for (const parent of spec.parentRefs) {
    const listener = gateway(parent);
    if (!listener) complain(`route ${name}: there is no listener ${parent.sectionName}`);
    else if (spec.hostnames?.some((host) => host !== listener.hostname)) complain(`route ${name}: its listener is for another host`);
  }
  for (const backend of spec.rules.flatMap((rule) => rule.backendRefs ?? [])) {
    const ports = named('Service', backend.name)?.spec.ports.map((one) => one.port) ?? [];
    if (!ports.includes(backend.port)) complain(`route ${name}: ${backend.name}:${backend.port} leads nowhere`);
    if (!IN_PUBLIC.includes(backend.name)) complain(`route ${name}: ${backend.name} is not for the public`);
  }
}

function checkScaler({ metadata: { name }, spec }) {
  if (!named('Deployment', spec.scaleTargetRef.name)) complain(`autoscaler ${name} scales nothing`);
  if (name === 'market-data') complain('the one writer must not be scaled');
  if (!(spec.minReplicas >= 2 && spec.maxReplicas > spec.minReplicas)) complain(`autoscaler ${name}: ${spec.minReplicas} to ${spec.maxReplicas}`);
}

function checkNetwork() {
  const policies = of('NetworkPolicy');
  const closed = policies.find(({ spec }) => Object.keys(spec.podSelector).length === 0);
  if (!closed || closed.spec.ingress || closed.spec.egress || closed.spec.policyTypes.length !== 2) complain('not everything is denied by default');
  for (const [name, calls] of Object.entries(CALLS)) {
    const policy = policies.find(({ spec }) => nameOf(spec.podSelector) === name)?.spec;
    if (!policy) {
      complain(`${name} has no network policy`);
      continue;
    }
    const called = policy.egress.flatMap((rule) => rule.to.map((peer) => nameOf(peer.podSelector))).filter(Boolean);
    same(`${name} may call`, called, calls);
    const callers = policy.ingress.flatMap((rule) => rule.from.map((peer) => nameOf(peer.podSelector))).filter(Boolean);
    same(`${name} may be called by`, callers, Object.keys(CALLS).filter((one) => CALLS[one].includes(name)));
    const fromOutside = policy.ingress.flatMap((rule) => rule.from).some((peer) => !peer.podSelector);
    if (fromOutside !== IN_PUBLIC.includes(name)) complain(`${name} ${fromOutside ? 'is reachable from outside' : 'is not reachable'}`);
    const ports = policy.egress.filter((rule) => rule.to.some((peer) => !peer.podSelector)).flatMap((rule) => rule.ports.map((one) => one.port));
    same(`${name} may reach server ports`, ports, SERVER_PORTS[name]);
  }
}

function same(what, found, wanted) {
  const sorted = (list) => [...list].sort().join(', ');
  if (sorted(found) !== sorted(wanted)) complain(`${what} [${sorted(found)}], and should [${sorted(wanted)}]`);
}
