// A server that speaks as much of S3 as the files of pictures need, with its objects in memory; it
// writes its address into a file: bucket.mjs FILE
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const objects = new Map();
const [file] = process.argv.slice(2);

function listed(bucket, query) {
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
  const found = [...objects].filter(([name]) => name.startsWith(prefix));
  const contents = found.map(
    ([name, bytes]) => `<Contents><Key>${name.slice(bucket.length + 1)}</Key><Size>${bytes.length}</Size><LastModified>2026-12-01T00:00:00.000Z</LastModified></Contents>`,
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

function answered(method, { pathname, searchParams }, body) {
  const name = decodeURIComponent(pathname);
  if (searchParams.get('list-type') === '2') return [200, Buffer.from(listed(name.replace(/\/$/, ''), searchParams))];
  if (method === 'PUT') objects.set(name, body);
  else if (method === 'DELETE') objects.delete(name);
  else return objects.has(name) ? [200, objects.get(name)] : [404, Buffer.from('<Error><Code>NoSuchKey</Code></Error>')];
  return [200, Buffer.alloc(0)];
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const [status, body] = answered(request.method, new URL(request.url, 'http://bucket'), Buffer.concat(parts));
    response.writeHead(status, { 'Content-Length': body.length, ETag: '"1"', 'Last-Modified': 'Tue, 01 Dec 2026 00:00:00 GMT' });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(`${file}.new`, `http://127.0.0.1:${server.address().port}`);
  renameSync(`${file}.new`, file);
});
