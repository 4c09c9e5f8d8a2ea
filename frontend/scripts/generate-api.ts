// Writes src/shared/api/schema.ts from the gateway's OpenAPI document, or with --check fails when they disagree.
//   npm run generate:api -- path/to/openapi.json
// The generator needs an older TypeScript than ours, so it lives in tools/openapi with its own lock file.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = join(root, 'tools/openapi');
const schema = join(root, 'src/shared/api/schema.ts');
const isCheck = process.argv.includes('--check');
const document = process.argv.slice(2).find((argument) => !argument.startsWith('--'));

if (!document || !existsSync(document)) {
  console.error('Give the path of the OpenAPI document (the gateway serves it at /openapi.json).');
  process.exit(2);
}
if (!existsSync(join(tools, 'node_modules'))) execFileSync('npm', ['ci'], { cwd: tools, stdio: 'inherit' });

const folder = mkdtempSync(join(tmpdir(), 'seedup-openapi-'));
const fresh = join(folder, 'schema.ts');
execFileSync('npx', ['--no-install', 'openapi-typescript', resolve(document), '--output', fresh], { cwd: tools, stdio: 'inherit' });
const generated = readFileSync(fresh, 'utf8');
rmSync(folder, { recursive: true });

if (!isCheck) {
  writeFileSync(schema, generated);
} else if (generated !== readFileSync(schema, 'utf8')) {
  console.error('src/shared/api/schema.ts is not what the OpenAPI document says: run npm run generate:api.');
  process.exit(1);
}
