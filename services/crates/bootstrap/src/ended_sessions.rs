//! The list of ended sessions in Redis: auth writes it, and every process that checks access tokens
//! reads it.
//!
//! The list is one key, so that `FLUSHALL`, a restart or an eviction removes all of it or nothing.
//! Auth confirms in it, for a few seconds at a time, that it is complete.

use uuid::Uuid;

use crate::redis::{Cmd, Pipeline, Redis, RedisResult, cmd, pipe};

/// Longer than any token of a session is accepted: the hour of a sise token, the leeway of the
/// checks, and clocks that differ by ten minutes.
const RETENTION_S: u32 = 4_500;
/// How long a confirmation is valid.
const CONFIRMED_FOR_S: u32 = 5;
/// A rebuild that takes longer is discarded.
const REBUILD_TIMEOUT_S: u32 = 60;

/// A sorted set: sessions with their expiry in Unix seconds, and [`WHOLE`].
const LIST: &str = "ended-sessions";
/// The run id of the Redis in which the list was completed. After a restart or a failover the last
/// writes may be lost.
const SERVER: &str = "ended-sessions:server";
/// Member of a completed list; its score is the end of the confirmation in Unix seconds.
const WHOLE: &str = "whole";

/// KEYS: the list. ARGV: the seconds that sessions are kept, sessions.
const ADD: &str = r"
local ends = redis.call('TIME')[1] + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[i]) end
return 0";

/// KEYS: the list, its server. ARGV: the validity of the confirmation in seconds.
const CONFIRM: &str = r"
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

/// KEYS: the list, its server. ARGV: the rebuild, the validity of the confirmation in seconds.
const COMPLETE: &str = r"
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if redis.call('ZREM', KEYS[1], 'rebuild:' .. ARGV[1] .. run) == 0 then return 0 end
redis.call('SET', KEYS[2], run)
redis.call('ZADD', KEYS[1], redis.call('TIME')[1] + ARGV[2], 'whole')
return 1";

/// The state of a session according to the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    Ended,
    /// Not on the list, which auth has confirmed to be complete.
    Alive,
    /// Not on the list, whose last confirmation is older than five seconds.
    Stale,
    /// No list, or an incomplete one: only auth knows.
    Unknown,
}

#[derive(Clone)]
pub struct EndedSessions {
    redis: Redis,
}

/// A rebuild of the list in progress, from [`EndedSessions::begin_rebuild`] to [`EndedSessions::finish_rebuild`].
#[derive(Debug)]
pub struct Rebuild(Uuid);

/// Seconds and microseconds, as from Redis's TIME.
type Time = (i64, i64);

impl EndedSessions {
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self { redis }
    }

    /// One round trip for all of `sessions`.
    pub async fn look_up(&self, sessions: &[String]) -> Vec<Listing> {
        let mut query = pipe();
        query.cmd("TIME");
        query.cmd("ZMSCORE").arg(LIST).arg(WHOLE).arg(sessions);
        let answer: Option<(Time, Vec<Option<i64>>)> = self
            .redis
            .run(|mut connection| async move {
                let answer: RedisResult<_> = query.query_async(&mut connection).await;
                answer
            })
            .await;
        let ((now, _us), scores) = answer.unwrap_or_default();
        let (confirmed_until, listed) = scores.split_first().unwrap_or((&None, &[]));
        let unlisted = match confirmed_until {
            Some(until) if *until >= now => Listing::Alive,
            Some(_lapsed) => Listing::Stale,
            None => Listing::Unknown,
        };
        let of = |index: usize| match listed.get(index) {
            Some(Some(_until)) => Listing::Ended,
            Some(None) | None => unlisted,
        };
        (0..sessions.len()).map(of).collect()
    }

    /// Returns `false` if Redis failed.
    pub async fn add(&self, sessions: &[Uuid]) -> bool {
        if sessions.is_empty() {
            return true;
        }
        let mut written = pipe();
        let add = written
            .cmd("EVAL")
            .arg(ADD)
            .arg(1)
            .arg(LIST)
            .arg(RETENTION_S);
        for session in sessions {
            add.arg(session.to_string());
        }
        add.ignore();
        // Read by the previous release.
        for session in sessions {
            let name = format!("deny:sid:{session}");
            written.set_ex(name, 1, RETENTION_S.into()).ignore();
        }
        self.write(written).await.is_some()
    }

    /// Confirms for another five seconds that the list contains every ended session. `Some(false)`
    /// if the list is incomplete and has to be rebuilt, `None` if Redis failed.
    pub async fn confirm_complete(&self) -> Option<bool> {
        let mut confirm = cmd("EVAL");
        confirm.arg(CONFIRM).arg(2).arg(LIST).arg(SERVER);
        confirm.arg(CONFIRMED_FOR_S);
        self.run(confirm).await
    }

    /// Starts a rebuild: all sessions that ended before this returns must be added before
    /// [`finish_rebuild`](Self::finish_rebuild). `None` if Redis failed.
    pub async fn begin_rebuild(&self) -> Option<Rebuild> {
        let rebuild = Uuid::new_v4();
        let mut begin = pipe();
        begin.cmd("EVAL").arg(BEGIN).arg(1).arg(LIST);
        begin.arg(rebuild.to_string()).arg(REBUILD_TIMEOUT_S);
        begin.ignore();
        self.write(begin).await?;
        Some(Rebuild(rebuild))
    }

    /// Marks the list as complete; `Some(false)` if sessions added since
    /// [`begin_rebuild`](Self::begin_rebuild) may be lost already.
    pub async fn finish_rebuild(&self, rebuild: Rebuild) -> Option<bool> {
        let mut complete = cmd("EVAL");
        complete.arg(COMPLETE).arg(2).arg(LIST).arg(SERVER);
        complete.arg(rebuild.0.to_string()).arg(CONFIRMED_FOR_S);
        self.run(complete).await
    }

    async fn run(&self, command: Cmd) -> Option<bool> {
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
