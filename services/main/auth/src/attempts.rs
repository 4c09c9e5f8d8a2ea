//! Failed logins per account and address, and per address; counted in Redis, or in this process
//! while Redis is unavailable.
//!
//! An attempt counts as a failure from its start, and the count is undone when it succeeds or was
//! cancelled. So concurrent attempts get no more tries than sequential ones.

mod local;

use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::caller;
use bootstrap::redis::{Cmd, Redis, cmd};
use chrono::TimeDelta;
use kernel::Clock;
use sha2::{Digest, Sha256};

use crate::domain::Email;
use crate::domain::throttle::{PER_ACCOUNT, PER_ADDRESS, RETENTION_S, ThrottlePolicy};
use crate::error::AuthError;
use local::LocalCounters;

/// KEYS: the account's failures, the address's bucket. ARGV: the time, the retention of the account,
/// the span and the leak of the bucket, all in ms; then the account's free failures and its wait in
/// ms after each further failure.
/// Returns the wait in ms, or 0 if the attempt may proceed and was counted.
/// A wait that started in the future was started before the clock was set back: it starts again
/// with its original length. A bucket is at most full.
const BEGIN: &str = r"
local now, span, leak = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local ends = tonumber(redis.call('HGET', KEYS[1], 'until') or '0')
local began = tonumber(redis.call('HGET', KEYS[1], 'began') or '0')
if began > now and ends > began then
  ends = ends - (began - now)
  redis.call('HSET', KEYS[1], 'until', ends, 'began', now)
end
local empty_at = tonumber(redis.call('GET', KEYS[2]) or '0')
empty_at = math.max(now, math.min(empty_at, now + span))
local wait = math.max(ends - now, empty_at + leak - now - span)
if wait > 0 then return wait end
local over = redis.call('HINCRBY', KEYS[1], 'failures', 1) - tonumber(ARGV[5])
if over >= 0 then
  local step = math.min(over, #ARGV - 6)
  redis.call('HSET', KEYS[1], 'until', now + tonumber(ARGV[6 + step]), 'began', now)
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], empty_at + leak, 'PX', empty_at + leak - now)
return 0";

/// KEYS: the account's failures.
const UNDO_ACCOUNT: &str = r"
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('HINCRBY', KEYS[1], 'failures', -1) <= 0 then
    redis.call('DEL', KEYS[1])
  else
    redis.call('HDEL', KEYS[1], 'until', 'began')
  end
end
return 0";

/// KEYS: the address's bucket. ARGV: the leak in ms.
const UNDO_ADDRESS: &str = r"
local empty_at = redis.call('GET', KEYS[1])
if empty_at then redis.call('SET', KEYS[1], empty_at - ARGV[1], 'KEEPTTL') end
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
            per_address: format!("rl:login:bucket:{address}"),
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
        begin
            .arg(now.timestamp_millis())
            .arg(RETENTION_S * 1_000)
            .arg(PER_ADDRESS.span().num_milliseconds())
            .arg(PER_ADDRESS.leak.num_milliseconds());
        begin
            .arg(PER_ACCOUNT.free_failures)
            .arg(waits_ms(PER_ACCOUNT));
        let answer: Option<i64> = self
            .redis
            .run(|mut connection| async move { begin.query_async(&mut connection).await })
            .await;
        match answer {
            Some(wait_ms) => TimeDelta::milliseconds(wait_ms),
            None => self
                .local
                .begin(&attempt.per_account, &attempt.per_address, now),
        }
    }
}

impl Attempt {
    /// Resets the account's failures from this address.
    pub async fn succeeded(self) {
        self.attempts.local.forget(&self.per_account);
        let mut forget = cmd("DEL");
        forget.arg(&self.per_account);
        self.undo(forget).await;
    }

    /// The password was not checked, so the attempt does not count.
    pub async fn cancel(self) {
        self.attempts.local.undo_account(&self.per_account);
        let mut undo_account = cmd("EVAL");
        undo_account.arg(UNDO_ACCOUNT).arg(1).arg(&self.per_account);
        self.undo(undo_account).await;
    }

    async fn undo(self, account: Cmd) {
        self.attempts.local.undo_address(&self.per_address);
        let mut undo_address = cmd("EVAL");
        undo_address.arg(UNDO_ADDRESS).arg(1).arg(&self.per_address);
        undo_address.arg(PER_ADDRESS.leak.num_milliseconds());
        self.attempts
            .redis
            .run(|mut connection| async move {
                let _done: i64 = account.query_async(&mut connection).await?;
                undo_address.query_async::<()>(&mut connection).await
            })
            .await;
    }
}

/// The waits after the free failures, up to the longest.
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
        let waits = waits_ms(PER_ACCOUNT);
        assert_eq!(waits.first(), Some(&(PER_ACCOUNT.first_wait_s * 1_000)));
        assert_eq!(waits.last(), Some(&(PER_ACCOUNT.longest_wait_s * 1_000)));
    }
}
