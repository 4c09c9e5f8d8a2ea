//! Limits what somebody may do within an hour; counted in Redis, or in this process while Redis is
//! unavailable.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use bootstrap::redis::{Redis, RedisResult, cmd};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use parking_lot::Mutex;
use uuid::Uuid;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// Counted in this process at most, while Redis is away.
const KEYS_MAX: usize = 10_000;

/// KEYS: the acts of somebody by their time. ARGV: now and an hour in ms, the limit, a name for this
/// act. Returns the wait in ms, or 0 if the act may proceed and was counted.
const BEGIN: &str = r"
local now, hour = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - hour)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.min(tonumber(oldest[2]) + hour - now, hour)
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], hour)
return 0";

#[derive(Clone)]
pub struct HourlyLimit {
    redis: Redis,
    /// Of the keys in Redis.
    prefix: &'static str,
    per_hour: usize,
    local: Arc<Mutex<HashMap<String, VecDeque<DateTime<Utc>>>>>,
    clock: Arc<dyn Clock>,
}

/// An act that counts until it is cancelled.
pub struct CountedAct {
    limit: HourlyLimit,
    key: String,
    name: String,
}

impl HourlyLimit {
    /// `per_hour` is of one key; zero counts as one.
    #[must_use]
    pub fn new(redis: Redis, prefix: &'static str, per_hour: usize, clock: Arc<dyn Clock>) -> Self {
        Self {
            redis,
            prefix,
            per_hour: per_hour.max(1),
            local: Arc::default(),
            clock,
        }
    }

    /// Counts an act of whom `key` names.
    ///
    /// # Errors
    /// The seconds to wait, where the hour has no room.
    pub async fn begin(&self, key: String) -> Result<CountedAct, i64> {
        let act = CountedAct {
            limit: self.clone(),
            key,
            name: Uuid::new_v4().to_string(),
        };
        let wait = self.wait_or_count(&act).await;
        if wait > TimeDelta::zero() {
            return Err((wait.num_milliseconds() + 999) / 1_000);
        }
        Ok(act)
    }

    async fn wait_or_count(&self, act: &CountedAct) -> TimeDelta {
        let now = self.clock.now();
        let mut begin = cmd("EVAL");
        begin.arg(BEGIN).arg(1).arg(act.redis_key());
        begin
            .arg(now.timestamp_millis())
            .arg(HOUR.num_milliseconds());
        begin.arg(self.per_hour).arg(&act.name);
        let answer: Option<i64> = self
            .redis
            .run(|mut connection| async move { begin.query_async(&mut connection).await })
            .await;
        match answer {
            Some(wait_ms) => TimeDelta::milliseconds(wait_ms),
            None => self.wait_or_count_locally(&act.key, now),
        }
    }

    fn wait_or_count_locally(&self, key: &str, now: DateTime<Utc>) -> TimeDelta {
        let mut local = self.local.lock();
        if local.len() >= KEYS_MAX && !local.contains_key(key) {
            local.retain(|_, acts| acts.back().is_some_and(|last| now - *last < HOUR));
            // The memory limit has priority.
            if local.len() >= KEYS_MAX {
                local.clear();
            }
        }
        let acts = local.entry(key.to_owned()).or_default();
        while acts.front().is_some_and(|first| now - *first >= HOUR) {
            acts.pop_front();
        }
        match acts.front() {
            Some(first) if acts.len() >= self.per_hour => (*first + HOUR - now).min(HOUR),
            Some(_) | None => {
                acts.push_back(now);
                TimeDelta::zero()
            }
        }
    }
}

impl CountedAct {
    /// It came to nothing, so it does not count.
    pub async fn cancel(self) {
        if let Some(acts) = self.limit.local.lock().get_mut(&self.key) {
            acts.pop_back();
        }
        let mut remove = cmd("ZREM");
        remove.arg(self.redis_key()).arg(&self.name);
        self.limit
            .redis
            .run(|mut connection| async move {
                let done: RedisResult<()> = remove.query_async(&mut connection).await;
                done
            })
            .await;
    }

    fn redis_key(&self) -> String {
        format!("{}:{}", self.limit.prefix, self.key)
    }
}
