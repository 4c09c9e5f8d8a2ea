//! Limits joins per address and hour; counted in Redis, or in this process while Redis is
//! unavailable.
//!
//! The limit is generous, because a classroom shares an address. A join counts once its form is
//! valid, even if the email is taken, so that the limit also covers probing for addresses.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::caller;
use bootstrap::redis::{Redis, RedisResult, cmd};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::error::AuthError;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// Counted in this process.
const ADDRESSES_MAX: usize = 10_000;

/// KEYS: the joins of an address by their time. ARGV: now and an hour in ms, the limit, a name for
/// this join. Returns the wait in ms, or 0 if the join may proceed and was counted.
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
pub struct Joins {
    redis: Redis,
    per_hour: usize,
    local: Arc<Mutex<HashMap<IpAddr, VecDeque<DateTime<Utc>>>>>,
    clock: Arc<dyn Clock>,
}

pub struct Join {
    joins: Joins,
    network: IpAddr,
    name: String,
}

impl Joins {
    /// `per_hour` is per address; zero counts as one.
    #[must_use]
    pub fn new(redis: Redis, per_hour: usize, clock: Arc<dyn Clock>) -> Self {
        Self {
            redis,
            per_hour: per_hour.max(1),
            local: Arc::default(),
            clock,
        }
    }

    /// Counts a join. One without an address is not counted; the gateway always sends it.
    ///
    /// # Errors
    /// [`AuthError::TooManyJoins`] while the address has to wait.
    pub async fn begin(&self, ip: Option<IpAddr>) -> Result<Option<Join>, AuthError> {
        let Some(network) = ip.map(caller::network) else {
            return Ok(None);
        };
        let join = Join {
            joins: self.clone(),
            network,
            name: Uuid::new_v4().to_string(),
        };
        let wait = self.wait_or_count(&join).await;
        if wait > TimeDelta::zero() {
            metrics::counter!("auth_joins_refused_total").increment(1);
            return Err(AuthError::TooManyJoins {
                retry_after_s: (wait.num_milliseconds() + 999) / 1_000,
            });
        }
        Ok(Some(join))
    }

    async fn wait_or_count(&self, join: &Join) -> TimeDelta {
        let now = self.clock.now();
        let mut begin = cmd("EVAL");
        begin.arg(BEGIN).arg(1).arg(join.key());
        begin
            .arg(now.timestamp_millis())
            .arg(HOUR.num_milliseconds());
        begin.arg(self.per_hour).arg(&join.name);
        let answer: Option<i64> = self
            .redis
            .run(|mut connection| async move { begin.query_async(&mut connection).await })
            .await;
        match answer {
            Some(wait_ms) => TimeDelta::milliseconds(wait_ms),
            None => self.wait_or_count_locally(join.network, now),
        }
    }

    fn wait_or_count_locally(&self, network: IpAddr, now: DateTime<Utc>) -> TimeDelta {
        let mut local = self.local.lock();
        if local.len() >= ADDRESSES_MAX && !local.contains_key(&network) {
            local.retain(|_, joins| joins.back().is_some_and(|last| now - *last < HOUR));
            // The memory limit has priority.
            if local.len() >= ADDRESSES_MAX {
                local.clear();
            }
        }
        let joins = local.entry(network).or_default();
        while joins.front().is_some_and(|first| now - *first >= HOUR) {
            joins.pop_front();
        }
        match joins.front() {
            Some(first) if joins.len() >= self.per_hour => (*first + HOUR - now).min(HOUR),
            Some(_) | None => {
                joins.push_back(now);
                TimeDelta::zero()
            }
        }
    }
}

impl Join {
    /// The join failed for a technical reason, so it does not count.
    pub async fn cancel(self) {
        if let Some(joins) = self.joins.local.lock().get_mut(&self.network) {
            joins.pop_back();
        }
        let mut remove = cmd("ZREM");
        remove.arg(self.key()).arg(&self.name);
        self.joins
            .redis
            .run(|mut connection| async move {
                let done: RedisResult<()> = remove.query_async(&mut connection).await;
                done
            })
            .await;
    }

    fn key(&self) -> String {
        format!("rl:join:{}", self.network)
    }
}
