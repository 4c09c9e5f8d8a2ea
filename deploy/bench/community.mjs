// Lists of posts and a post with its comments, beside Lemmy's way of reading the same rows, and likes
// of many at once. A program of the community makes the rows and alternates both sides itself.
import { ROUNDS, heading, judge, output, program, required } from './harness.mjs';

const POSTS = process.env.BENCH_POSTS ?? '1000000';
const COMMENTS = process.env.BENCH_COMMENTS ?? '5000000';

export async function community() {
  heading(`lists among ${POSTS} posts and ${COMMENTS} comments`);
  const environment = {
    DATABASE_URL: required('BENCH_SERVER_DATABASE_URL'),
    BENCH_ROUNDS: String(ROUNDS),
    BENCH_POSTS: POSTS,
    BENCH_COMMENTS: COMMENTS,
  };
  const printed = (await output(await program('listing'), [], environment)).trim().split('\n');
  for (const line of printed.slice(0, -1)) console.log(`  ${line}`);
  const result = JSON.parse(printed.at(-1));
  judge({ name: 'first page of a list, times as fast as Lemmy’s way', atLeast: 2 }, result.list);
  judge({ name: 'post with comments, times as fast', atLeast: 2 }, result.post);
  judge({ name: '5,000th page, times as fast', atLeast: 2 }, result.far);
  judge({ name: 'time of the 5,000th page by cursor / the first', atMost: 1.5 }, result.farOverFirst);
  judge({ name: 'p99 of a like in milliseconds, 500 at once', atMost: 200 }, result.likesP99Ms);
  judge({ name: 'p99 of a page of a list in milliseconds', atMost: 20 }, result.listP99Ms);
}
