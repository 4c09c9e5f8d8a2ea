// Every metric in alerts, their tests and dashboards must be exported by a process; those of
// PostgreSQL, RabbitMQ and the machine are listed here. Every alert must have a runbook and a test in
// which it fires, and every target must be covered by an alert on its absence.
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
  'pg_up',
  'pg_stat_activity_count',
  'pg_stat_activity_max_tx_duration',
  'pg_settings_max_connections',
  'probe_success',
  'probe_ssl_earliest_cert_expiry',
  'alertmanager_notifications_failed_total',
]);
// Labels that scraping adds.
const LABELS_OF_SCRAPING = ['instance', 'job', 'process'];
// Labels of what others export, and of rules.
const LABELS_OF_OTHERS = ['datname', 'integration', 'metric'];
const LINES = ['Means', 'Members notice', 'Look at', 'Do', 'Over when'];
const FOLDER = join(ROOT, 'deploy/observability');

const exported = new Map();
const labels = new Set();
for (const file of rustFiles(join(ROOT, 'services')).filter((path) => path.includes('/src/'))) {
  const source = readFileSync(file, 'utf8');
  for (const [, kind, name] of source.matchAll(/(counter|gauge|histogram)!\(\s*"(\w+)"/g)) exported.set(name, kind);
  // Names in a table.
  if (/gauge!\(\s*name\b/.test(source)) for (const [, name] of source.matchAll(/\(\s*"(trading_\w+)",/g)) exported.set(name, 'gauge');
  if (/metrics::/.test(source)) for (const [, label] of source.matchAll(/"(\w+)"(?: =>|, )/g)) labels.add(label);
}

// Scripts write for the textfile collector.
for (const file of scripts(join(ROOT, 'deploy'))) {
  for (const [, name, kind] of readFileSync(file, 'utf8').matchAll(/# TYPE (\w+) (counter|gauge)/g)) exported.set(name, kind);
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
const tests = yaml.load(readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8')).tests;
for (const test of tests) {
  for (const { series } of test.input_series) asked.push([`test '${test.name}'`, series]);
}
checkRunbooks();
checkSources();
for (const [where, expression] of asked) check(where, expression);
const unseen = [...exported.keys()].filter((name) => !asked.some(([, expression]) => expression.includes(name)));
console.log(`${exported.size} metrics are exported, ${exported.size - unseen.length} are watched; not watched: ${unseen.join(', ')}`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function checkRunbooks() {
  const names = alerts.groups.flatMap(({ rules }) => rules.map((rule) => rule.alert));
  const ringing = new Set(tests.flatMap((test) => test.alert_rule_test).filter((one) => one.exp_alerts?.length > 0).map((one) => one.alertname));
  const sections = readFileSync(join(FOLDER, 'RUNBOOKS.md'), 'utf8').split(/^## /m).slice(1);
  const books = new Map(sections.map((section) => [section.split('\n', 1)[0], section.split('\n').filter((line) => line.startsWith('- '))]));
  for (const name of names) {
    if (!ringing.has(name)) problems.push(`alert ${name} rings in no test`);
    const lines = books.get(name) ?? [];
    const isWhole = lines.length === LINES.length && LINES.every((word, index) => new RegExp(`^- \\*\\*${word}:\\*\\* \\S.{8}`).test(lines[index]));
    if (!isWhole) problems.push(`alert ${name} has no runbook of the lines ${LINES.join(', ')}`);
  }
  for (const name of books.keys()) if (!names.includes(name)) problems.push(`there is a runbook of ${name}, and no such alert`);
}

// An alert on a missing series never fires: SourceIsMissing names every target, and MetricIsMissing
// every metric whose absence could look healthy.
function checkSources() {
  const rules = Object.fromEntries(alerts.groups.flatMap((group) => group.rules.map((rule) => [rule.alert, rule.expr])));
  const { scrape_configs: jobs } = yaml.load(readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8'));
  for (const { job_name: job, static_configs: targets = [] } of jobs) {
    for (const { labels: { process } = {} } of targets.length > 0 ? targets : [{}]) {
      const wanted = process ? `absent(up{job="${job}",process="${process}"})` : `absent(up{job="${job}"})`;
      if (!rules.SourceIsMissing.includes(wanted)) problems.push(`nobody misses ${job} ${process ?? ''} when it is not scraped`);
    }
  }
  // Counters are there from the first event on; gauges always.
  for (const [name, expression] of Object.entries(rules)) {
    if (name === 'MetricIsMissing' || name === 'BuildsDiffer') continue;
    for (const [metric, kind] of exported) {
      const isAsked = new RegExp(`\\b${metric}\\b`).test(expression);
      if (kind === 'gauge' && isAsked && !rules.MetricIsMissing.includes(`absent(${metric})`)) problems.push(`nobody misses ${metric} of alert ${name}`);
    }
  }
}

function scripts(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return scripts(path);
    return entry.name.endsWith('.sh') ? [path] : [];
  });
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
      if (![...LABELS_OF_SCRAPING, ...LABELS_OF_OTHERS, 'le', ...labels].includes(label)) problems.push(`${where} groups by ${label}, which nothing is labelled with`);
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
