// Uploads all pictures of a plan at the same moment and prints what became of each: send_uploads.mjs ORIGIN PLAN
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const BOUNDARY = 'between-the-parts-of-a-form';
const PATIENCE_MS = 150_000;

const [origin, file] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(file, 'utf8'));
const address = new URL('/api/v1/file/upload', origin);
const agent = new Agent({ maxSockets: Infinity });
const bodies = new Map(
  [...new Set(plan.map(({ path }) => path))].map((path) => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="picture"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    return [path, Buffer.concat([Buffer.from(head), readFileSync(path), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])];
  }),
);

function upload({ path, token }) {
  const body = bodies.get(path);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'Content-Length': body.length };
  const begun = Date.now();
  return new Promise((resolve) => {
    const asked = request(address, { method: 'POST', agent, headers, timeout: PATIENCE_MS, family: 4 }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (data) => (text += data));
      answer.on('end', () => {
        const { url, thumbUrl, ...more } = text ? JSON.parse(text) : {};
        resolve({ status: answer.statusCode, url, thumbUrl, ms: Date.now() - begun, ...(answer.statusCode === 200 ? {} : { more }) });
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error) => resolve({ status: 0, more: error.message, ms: Date.now() - begun }));
    asked.end(body);
  });
}

const begun = Date.now();
const answers = await Promise.all(plan.map(upload));
console.log(JSON.stringify({ tookMs: Date.now() - begun, answers }));
process.exit(0);
