// Posts for the screens of the community: node community.mjs ORIGIN
// Prints the address of a post with pictures and comments. A product with fewer than twenty posts is given twenty, by members
// who join for it: nobody may write more than three within ten minutes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const POSTS = 20;
const POSTS_PER_MEMBER = 3;
/** Of two posts one has pictures, as many as these in turn. */
const PICTURES = [1, 0, 3, 0];
const COMMENTS = 5;
const TEXT = '오늘 산 종목을 적어둬요. 왜 샀는지 나중에 다시 읽어보려고 해요. 한 번에 다 사지 않고 세 번에 나눠 샀더니 마음이 조금 편해요.';

const [origin] = process.argv.slice(2);
const docs = join(import.meta.dirname, '../../docs');
const files = readdirSync(docs).filter((name) => name.endsWith('.png'));

const posts = await list();
if (posts.length < POSTS) await write();
const [post] = (await list()).filter(({ contentImg, commentCount }) => contentImg && commentCount > 0);
if (!post) throw new Error('none of the newest posts has pictures and comments');
console.log(`/community/detail?communitySid=${post.sid}`);

async function list() {
  const { posts: newest } = await call('GET', `/api/v1/community/list?category=ALL&type=LATEST&size=${POSTS}`);
  return newest;
}

async function write() {
  const members = [];
  for (let made = 0; made < POSTS / POSTS_PER_MEMBER; made += 1) members.push(await member(made));
  for (let written = 0; written < POSTS; written += 1) {
    const author = members[written % members.length];
    const pictures = [];
    for (let taken = 0; taken < PICTURES[written % PICTURES.length]; taken += 1) pictures.push(await upload(author, files[(written + taken) % files.length]));
    const contentImg = pictures.length > 0 ? pictures.join(',') : null;
    const body = { memberSid: author.memberSid, category: 'STOCK', content: `${written + 1}번째 기록. ${TEXT}`, contentImg, reqSid: crypto.randomUUID() };
    const { sid } = await call('POST', '/api/v1/community/post', body, author);
    for (let said = 0; said < (pictures.length > 1 ? COMMENTS : 0); said += 1) {
      const reader = members[(written + said + 1) % members.length];
      await call('POST', '/api/v1/community/comment', { memberSid: reader.memberSid, boardSid: sid, content: `${written + 1}-${said + 1}. 저도 나눠서 사고 있어요`, reqSid: crypto.randomUUID() }, reader);
    }
  }
}

function member(made) {
  const unique = `${Date.now().toString(36).slice(-6)}${made}`;
  return call('POST', '/api/v1/auth/join', {
    email: `lighthouse-${unique}@example.com`,
    password: `처음 심는 씨앗 ${unique}`,
    nickname: `등대${unique}`,
    birthYear: 1995,
    termsAgreed: true,
    privacyAgreed: true,
    age14: true,
  });
}

async function upload(author, name) {
  const form = new FormData();
  form.append('file', new Blob([readFileSync(join(docs, name))], { type: 'image/png' }), name);
  const { url } = await answered(fetch(`${origin}/api/v1/file/upload`, { method: 'POST', body: form, headers: { authorization: `Bearer ${author.accessToken}` } }));
  return url;
}

function call(method, path, body, author) {
  const headers = { 'content-type': 'application/json', ...(author && { authorization: `Bearer ${author.accessToken}` }) };
  return answered(fetch(`${origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
}

async function answered(request) {
  const response = await request;
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
