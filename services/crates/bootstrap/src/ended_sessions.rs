//! The list of ended sessions, in Redis: auth writes it, whoever checks access tokens reads it.
//!
//! All of it is one key, so that it is there as a whole or not at all: `FLUSHALL`, a restart and an
//! eviction cannot take single sessions from it. That nothing is missing is itself said in it, by
//! auth, for a few seconds at a time.

use uuid::Uuid;

use crate::redis::{Cmd, Pipeline, Redis, RedisResult, cmd, pipe};

/// Longer than any token of a session lives, the hour of a sise token too, with the leeway of those
/// who check it and clocks that are ten minutes apart.
const KEPT_S: u32 = 4_500;
/// How long auth's word holds that nothing is missing.
const VOUCHED_FOR_S: u32 = 5;
/// A rebuild that takes longer counts for nothing.
const REBUILT_WITHIN_S: u32 = 60;

/// A sorted set: sessions by the second until which they are kept, and [`WHOLE`].
const LIST: &str = "ended-sessions";
/// Which run of Redis the list was completed in. Another one, or a replica that was promoted, may
/// have lost what was written last.
const SERVER: &str = "ended-sessions:server";
/// Member of a list that was completed; its score is the second until which auth's word holds.
const WHOLE: &str = "whole";

/// KEYS: the list. ARGV: the seconds that sessions are kept, sessions.
const ADD: &str = r"
local ends = redis.call('TIME')[1] + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[i]) end
return 0";

/// KEYS: the list, its server. ARGV: the seconds for which the word holds.
const VOUCH: &str = r"
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if redis.call('GET', KEYS[2]) ~= run or not redis.call('ZSCORE', KEYS[1], 'whole') then
  redis.call('ZREM', KEYS[1], 'whole')
  return 0
end
local now = redis.call('TIME')[1]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[1], 'whole')
return 1";

/// KEYS: the list. ARGV: the rebuild, the seconds it may take.
const BEGIN: &str = r"
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
redis.call('ZADD', KEYS[1], redis.call('TIME')[1] + ARGV[2], 'rebuild:' .. ARGV[1] .. run)
return 0";

/// KEYS: the list, its server. ARGV: the rebuild, the seconds for which the word holds.
const COMPLETE: &str = r"
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if redis.call('ZREM', KEYS[1], 'rebuild:' .. ARGV[1] .. run) == 0 then return 0 end
redis.call('SET', KEYS[2], run)
redis.call('ZADD', KEYS[1], redis.call('TIME')[1] + ARGV[2], 'whole')
return 1";

/// What the list says of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// It has ended.
    Ended,
    /// It has not: it is not on the list, and auth vouches that nothing is missing there.
    Alive,
    /// It is not on a list that was whole when auth last said so, which is more than
    /// five seconds ago.
    Stale,
    /// There is no list, or one that lacks sessions: only auth knows.
    Unknown,
}

/// The list.
#[derive(Clone)]
pub struct EndedSessions {
    redis: Redis,
}

/// A list that is being written anew, from [`EndedSessions::begin`] to [`EndedSessions::complete`].
#[derive(Debug)]
pub struct Rebuild(Uuid);

/// Seconds and microseconds, as Redis tells its time.
type Time = (i64, i64);

impl EndedSessions {
    /// The list in this Redis.
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self { redis }
    }

    /// What the list says of each of `sessions`, in one round trip.
    pub async fn look_up(&self, sessions: &[String]) -> Vec<Listing> {
        let mut asked = pipe();
        asked.cmd("TIME");
        asked.cmd("ZMSCORE").arg(LIST).arg(WHOLE).arg(sessions);
        let answer: Option<(Time, Vec<Option<i64>>)> = self
            .redis
            .run(|mut connection| async move {
                let answer: RedisResult<_> = asked.query_async(&mut connection).await;
                answer
            })
            .await;
        let ((now, _us), scores) = answer.unwrap_or_default();
        let (vouched_until, listed) = scores.split_first().unwrap_or((&None, &[]));
        let unlisted = match vouched_until {
            Some(until) if *until >= now => Listing::Alive,
            Some(_lapsed) => Listing::Stale,
            None => Listing::Unknown,
        };
        let of = |place: usize| match listed.get(place) {
            Some(Some(_until)) => Listing::Ended,
            Some(None) | None => unlisted,
        };
        (0..sessions.len()).map(of).collect()
    }

    /// Adds sessions; `false` when that could not be done.
    pub async fn add(&self, sessions: &[Uuid]) -> bool {
        if sessions.is_empty() {
            return true;
        }
        let mut written = pipe();
        let add = written.cmd("EVAL").arg(ADD).arg(1).arg(LIST).arg(KEPT_S);
        for session in sessions {
            add.arg(session.to_string());
        }
        add.ignore();
        // Where the release before looks.
        for session in sessions {
            let name = format!("deny:sid:{session}");
            written.set_ex(name, 1, KEPT_S.into()).ignore();
        }
        self.write(written).await.is_some()
    }

    /// Gives auth's word for another five seconds that every session which had ended before is on
    /// the list. `Some(false)` when the list is not whole and has to be rebuilt, `None` when Redis
    /// cannot say.
    pub async fn vouch(&self) -> Option<bool> {
        let mut vouch = cmd("EVAL");
        vouch.arg(VOUCH).arg(2).arg(LIST).arg(SERVER);
        vouch.arg(VOUCHED_FOR_S);
        self.ask(vouch).await
    }

    /// Begins to rebuild the list: what had ended when this returns must be added before
    /// [`complete`](Self::complete). `None` when Redis cannot be reached.
    pub async fn begin(&self) -> Option<Rebuild> {
        let rebuild = Uuid::new_v4();
        let mut begin = pipe();
        begin.cmd("EVAL").arg(BEGIN).arg(1).arg(LIST);
        begin.arg(rebuild.to_string()).arg(REBUILT_WITHIN_S);
        begin.ignore();
        self.write(begin).await?;
        Some(Rebuild(rebuild))
    }

    /// Says that the list is whole again; `Some(false)` when what was added since
    /// [`begin`](Self::begin) may be lost already.
    pub async fn complete(&self, rebuild: Rebuild) -> Option<bool> {
        let mut complete = cmd("EVAL");
        complete.arg(COMPLETE).arg(2).arg(LIST).arg(SERVER);
        complete.arg(rebuild.0.to_string()).arg(VOUCHED_FOR_S);
        self.ask(complete).await
    }

    async fn ask(&self, command: Cmd) -> Option<bool> {
        let answer = self.redis.run(|mut connection| async move {
            let answer: RedisResult<bool> = command.query_async(&mut connection).await;
            answer
        });
        answer.await
    }

    async fn write(&self, commands: Pipeline) -> Option<()> {
        let written = self.redis.run(|mut connection| async move {
            let written: RedisResult<()> = commands.query_async(&mut connection).await;
            written
        });
        written.await
    }
}
