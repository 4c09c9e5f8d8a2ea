//! Failed logins per account and address, and per address; counted in Redis, or in this process
//! while Redis is unavailable.
//!
//! An attempt counts as a failure from its start, and the count is undone when it succeeds or was
//! cancelled. So concurrent attempts get no more tries than sequential ones.

mod local;

use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::caller;
use bootstrap::redis::{Redis, RedisResult, cmd};
use chrono::TimeDelta;
use kernel::Clock;
use sha2::{Digest, Sha256};

use crate::domain::Email;
use crate::domain::throttle::{PER_ACCOUNT, PER_ADDRESS, RETENTION_S, ThrottlePolicy};
use crate::error::AuthError;
use local::LocalCounters;

/// KEYS: the counters. ARGV: the time and the retention in ms, then for each counter its free
/// failures and its wait in ms after each further failure, as a list of fixed length.
/// Returns the wait in ms, or 0 if the attempt may proceed and was counted.
/// A wait that started in the future was started before the clock was set back: it starts again
/// with its original length.
const BEGIN: &str = r"
local now = tonumber(ARGV[1])
local steps = (#ARGV - 2) / #KEYS
local wait = 0
for _, key in ipairs(KEYS) do
  local ends = tonumber(redis.call('HGET', key, 'until') or '0')
  local began = tonumber(redis.call('HGET', key, 'began') or '0')
  if began > now and ends > began then
    ends = ends - (began - now)
    redis.call('HSET', key, 'until', ends, 'began', now)
  end
  wait = math.max(wait, ends - now)
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  local first = 3 + (i - 1) * steps
  local over = redis.call('HINCRBY', key, 'failures', 1) - tonumber(ARGV[first])
  if over >= 0 then
    local step = math.min(over, steps - 2)
    redis.call('HSET', key, 'until', now + tonumber(ARGV[first + 1 + step]), 'began', now)
  end
  redis.call('PEXPIRE', key, ARGV[2])
end
return 0";

/// Decrements each counter.
const UNDO: &str = r"
for _, key in ipairs(KEYS) do
  if redis.call('EXISTS', key) == 1 then
    if redis.call('HINCRBY', key, 'failures', -1) <= 0 then
      redis.call('DEL', key)
    else
      redis.call('HDEL', key, 'until', 'began')
    end
  end
end
return 0";

#[derive(Clone)]
pub struct Attempts {
    redis: Redis,
    local: Arc<LocalCounters>,
    clock: Arc<dyn Clock>,
}

/// An attempt in progress. Counts as a failure when it is dropped.
pub struct Attempt {
    attempts: Attempts,
    per_account: String,
    per_address: String,
}

impl Attempts {
    #[must_use]
    pub fn new(redis: Redis, clock: Arc<dyn Clock>) -> Self {
        Self {
            redis,
            local: Arc::default(),
            clock,
        }
    }

    /// Starts an attempt for an account, which need not exist.
    ///
    /// # Errors
    /// [`AuthError::TooManyAttempts`] while the caller has to wait.
    pub async fn begin(&self, email: &Email, ip: Option<IpAddr>) -> Result<Attempt, AuthError> {
        let address = network(ip);
        let account = Sha256::digest(format!("{address} {}", email.as_str()));
        let attempt = Attempt {
            attempts: self.clone(),
            per_account: format!("rl:login:{}", hex::encode(account)),
            per_address: format!("rl:login:from:{address}"),
        };
        let wait = self.wait_or_count(&attempt).await;
        if wait > TimeDelta::zero() {
            metrics::counter!("auth_logins_total", "outcome" => "throttled").increment(1);
            let retry_after_s = (wait.num_milliseconds() + 999) / 1_000;
            return Err(AuthError::TooManyAttempts { retry_after_s });
        }
        Ok(attempt)
    }

    async fn wait_or_count(&self, attempt: &Attempt) -> TimeDelta {
        let now = self.clock.now();
        let mut begin = cmd("EVAL");
        begin
            .arg(BEGIN)
            .arg(2)
            .arg(&attempt.per_account)
            .arg(&attempt.per_address);
        begin.arg(now.timestamp_millis()).arg(RETENTION_S * 1_000);
        for policy in [PER_ACCOUNT, PER_ADDRESS] {
            begin.arg(policy.free_failures);
            for wait in waits_ms(policy) {
                begin.arg(wait);
            }
        }
        let answer: Option<i64> = self
            .redis
            .run(|mut connection| async move { begin.query_async(&mut connection).await })
            .await;
        match answer {
            Some(wait_ms) => TimeDelta::milliseconds(wait_ms),
            None => self.local.begin(
                [
                    (&attempt.per_account, PER_ACCOUNT),
                    (&attempt.per_address, PER_ADDRESS),
                ],
                now,
            ),
        }
    }
}

impl Attempt {
    /// Resets the account's failures from this address.
    pub async fn succeeded(self) {
        self.attempts.local.forget(&self.per_account);
        self.attempts.local.undo(&self.per_address);
        let mut forget = cmd("DEL");
        forget.arg(&self.per_account);
        let mut undo = cmd("EVAL");
        undo.arg(UNDO).arg(1).arg(&self.per_address);
        self.attempts
            .redis
            .run(|mut connection| async move {
                let _deleted: i64 = forget.query_async(&mut connection).await?;
                undo.query_async::<()>(&mut connection).await
            })
            .await;
    }

    /// The password was not checked, so the attempt does not count.
    pub async fn cancel(self) {
        self.attempts.local.undo(&self.per_account);
        self.attempts.local.undo(&self.per_address);
        let mut undo = cmd("EVAL");
        undo.arg(UNDO)
            .arg(2)
            .arg(&self.per_account)
            .arg(&self.per_address);
        self.attempts
            .redis
            .run(|mut connection| async move {
                let done: RedisResult<()> = undo.query_async(&mut connection).await;
                done
            })
            .await;
    }
}

/// The waits after the free failures, up to the longest; the same length for every policy.
fn waits_ms(policy: ThrottlePolicy) -> Vec<i64> {
    (0..8)
        .map(|over| {
            policy
                .wait_after(policy.free_failures + over)
                .num_milliseconds()
        })
        .collect()
}

/// The key of an address in the limits.
pub(crate) fn network(ip: Option<IpAddr>) -> String {
    ip.map(caller::network)
        .map_or_else(|| "unknown".to_owned(), |network| network.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_waits_ends_with_the_longest() {
        for policy in [PER_ACCOUNT, PER_ADDRESS] {
            let waits = waits_ms(policy);
            assert_eq!(waits.first(), Some(&(policy.first_wait_s * 1_000)));
            assert_eq!(waits.last(), Some(&(policy.longest_wait_s * 1_000)));
        }
    }
}
