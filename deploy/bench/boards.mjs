// A competition with very many entrants: all accounts valued at one price each and ranked on both
// boards, in memory and on one core; then the boards published, and a page and the places around one's
// own read from Redis by member after member.
import { database, heading, judge, output, program, required } from './harness.mjs';

const ENTRANTS = 300_000;
const HOLDINGS = 5;

export async function boards() {
  heading(`both boards of ${ENTRANTS} entrants with ${HOLDINGS} holdings each`);
  const tool = await program('boards');
  const words = ['--entrants', String(ENTRANTS), '--holdings', String(HOLDINGS)];
  const environment = { BENCH_REDIS_URL: required('BENCH_REDIS_URL'), BENCH_DATABASE_URL: await database('boards') };
  const printed = await output('taskset', ['-c', '1', tool, ...words], environment);
  const { entrants, valuedMs, portfolioBytes, peakBytes, redis, storedMs } = JSON.parse(printed);
  if (entrants !== ENTRANTS) throw new Error(`${entrants} entrants were ranked instead of ${ENTRANTS}`);
  const thousandths = (numbers) => numbers.map((one) => one / 1000);
  judge({ name: 'seconds until they are valued and ranked', atMost: 2 }, thousandths(valuedMs));
  judge({ name: 'bytes of the portfolio of an entrant' }, [portfolioBytes]);
  judge({ name: 'bytes of memory for each entrant at most' }, [peakBytes]);
  judge({ name: 'seconds until both are in Redis' }, [redis.writtenMs / 1000]);
  judge({ name: 'seconds until both are in PostgreSQL' }, [storedMs / 1000]);
  judge({ name: 'milliseconds of a page (p99)', atMost: 5 }, thousandths(redis.pageUs));
  judge({ name: 'milliseconds of the places around one’s own (p99)', atMost: 5 }, thousandths(redis.aroundUs));
}
