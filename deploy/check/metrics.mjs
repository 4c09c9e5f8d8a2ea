// Every metric that alerts and dashboards ask for is one that a process exports, and every alert's
// series in the tests as well. What PostgreSQL, RabbitMQ and the machine export is named here.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { ROOT, rustFiles } from './settings.mjs';

const OF_OTHERS = new Set([
  'up',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'rabbitmq_alarms_memory_used_watermark',
  'rabbitmq_alarms_free_disk_space_watermark',
]);
// Labels that scraping adds.
const LABELS_OF_SCRAPING = ['instance', 'job', 'process'];
const FOLDER = join(ROOT, 'deploy/observability');

const exported = new Map();
const labels = new Set();
for (const file of rustFiles(join(ROOT, 'services')).filter((path) => path.includes('/src/'))) {
  const source = readFileSync(file, 'utf8');
  for (const [, kind, name] of source.matchAll(/(counter|gauge|histogram)!\(\s*"(\w+)"/g)) exported.set(name, kind);
  if (/metrics::/.test(source)) for (const [, label] of source.matchAll(/"(\w+)"(?: =>|, )/g)) labels.add(label);
}

const problems = [];
const asked = [];
const alerts = yaml.load(readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8'));
for (const { rules } of alerts.groups) {
  for (const rule of rules) asked.push([`alert ${rule.alert}`, rule.expr]);
}
const dashboards = join(FOLDER, 'grafana/dashboards');
for (const file of readdirSync(dashboards)) {
  const board = JSON.parse(readFileSync(join(dashboards, file), 'utf8'));
  const ids = board.panels.map((panel) => panel.id);
  if (new Set(ids).size !== ids.length) problems.push(`${file}: two panels share an id`);
  for (const panel of board.panels) for (const target of panel.targets) asked.push([`${file} '${panel.title}'`, target.expr]);
}
for (const test of yaml.load(readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8')).tests) {
  for (const { series } of test.input_series) asked.push([`test '${test.name}'`, series]);
}
for (const [where, expression] of asked) check(where, expression);
const unseen = [...exported.keys()].filter((name) => !asked.some(([, expression]) => expression.includes(name)));
console.log(`${exported.size} metrics are exported, ${exported.size - unseen.length} are watched; not watched: ${unseen.join(', ')}`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function check(where, expression) {
  // What stands in quotes, in braces, and in the lists of by() and on() are labels and values.
  const bare = expression
    .replace(/"[^"]*"/g, '""')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  const words = [...bare.matchAll(/[a-zA-Z_]\w*/g)].filter(({ 0: word, index }) => !/^\s*\(/.test(bare.slice(index + word.length)));
  for (const [word] of words) {
    if (['and', 'or', 'unless', 'on', 'by'].includes(word) || OF_OTHERS.has(word)) continue;
    const base = word.replace(/_(bucket|count|sum)$/, '');
    if (!isExported(word, base)) problems.push(`${where} asks for ${word}, which no process exports`);
  }
  for (const [, list] of expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)) {
    for (const label of list.split(',').map((one) => one.trim())) {
      if (![...LABELS_OF_SCRAPING, 'le', ...labels].includes(label)) problems.push(`${where} groups by ${label}, which nothing is labelled with`);
    }
  }
}

// Histograms of seconds have buckets; others are summaries with quantiles.
function isExported(word, base) {
  if (exported.get(base) !== 'histogram') return exported.has(word);
  const hasBuckets = base.endsWith('_seconds');
  if (word === base) return !hasBuckets;
  return hasBuckets || !word.endsWith('_bucket');
}
