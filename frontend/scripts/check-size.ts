// Fails when a tab route needs more than 140 kB of gzipped JavaScript, or 220 kB in total, before it works, or when a lazy
// route chunk is too big.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const INITIAL_LIMIT_KB = 140;
const ROUTE_LIMIT_KB = 30;
const CHART_LIMIT_KB = 58;
const FONT_LIMIT_KB = 60;
const CRITICAL_LIMIT_KB = 220;
const TAB_ROUTES = ['route-home', 'route-trend', 'route-stock-list', 'route-coin-list', 'route-gold-list', 'route-product-list', 'route-learn', 'route-community', 'route-my'];

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const groups = JSON.parse(readFileSync(join(root, 'generated/chunk-groups.json'), 'utf8')) as Record<string, string[]>;
const entry = groups.main ?? [];
const problems: string[] = [];

const font = join(dist, 'fonts/app-sans.woff2');
const fontKb = existsSync(font) ? readFileSync(font).length / 1000 : 0;
for (const route of TAB_ROUTES.filter((name) => name in groups)) {
  const files = new Set([...entry, ...(groups[route] ?? [])]);
  report(`initial JS of ${route}`, kilobytes(files), INITIAL_LIMIT_KB);
  // Files named by the page load with every screen.
  const named = [...files, ...(groups.first ?? []), 'index.html', 'before-paint.js', 'preload.js'];
  report(`page, styles, font and JS of ${route}`, kilobytes(named, /\.(js|css|html)$/) + fontKb, CRITICAL_LIMIT_KB);
}
for (const [name, files] of Object.entries(groups).filter(([name]) => name !== 'main' && name !== 'first')) {
  const own = files.filter((file) => !entry.includes(file));
  report(`chunk ${name}`, kilobytes(own), name === 'chart' ? CHART_LIMIT_KB : ROUTE_LIMIT_KB);
}
report('preloaded font', fontKb, FONT_LIMIT_KB);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

function kilobytes(files: Iterable<string>, kinds = /\.js$/): number {
  let bytes = 0;
  for (const file of files) {
    if (kinds.test(file)) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  }
  return bytes / 1000;
}

function report(what: string, size: number, limit: number): void {
  console.log(`${what}: ${size.toFixed(1)} kB (limit ${limit})`);
  if (size > limit) problems.push(`${what} is ${size.toFixed(1)} kB, over its limit of ${limit} kB`);
}
