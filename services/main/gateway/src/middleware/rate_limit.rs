//! Rate limits of one caller: requests per second, counted in this process, and requests per minute,
//! counted in Redis for all gateways, or in this process while Redis is away. Both are leaky buckets
//! (GCRA): there is no window at whose turn a caller gets twice as much, and `Retry-After` is short.
//! Requests of a caller far from the limit are counted here first and sent to Redis in batches.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::caller;
use bootstrap::redis::{Redis, RedisError, cmd, pipe};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use kernel::{Clock, MemberId};
use parking_lot::Mutex;

use crate::error::{ApiError, Reason};
use crate::upstream::coalescer::Coalescer;

const MINUTE_US: i64 = 60_000_000;
/// How often a caller with more than half of the minute left is counted in Redis.
const SYNC_INTERVAL: Duration = Duration::from_millis(100);

/// KEYS: the theoretical arrival time of a caller's next request (GCRA). ARGV: now, a minute, the
/// interval of one request, all in µs, and how many requests passed without being counted.
/// Counts those and one more; returns by how much this one is too early, or, negated, what is left
/// after it. A time more than a minute ahead was written before the clock was set back.
const COUNT_SCRIPT: &str = r"
local now, minute, share = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
used = math.min(used + share * tonumber(ARGV[4]), now + minute)
local early = used + share - now - minute
if early <= 0 then used = used + share end
redis.call('SET', KEYS[1], string.format('%.0f', used), 'PX', math.ceil((used - now) / 1000) + 1)
return early";

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RateLimitKey {
    Member(MemberId),
    /// The network of a caller without a valid token.
    Address(IpAddr),
}

impl RateLimitKey {
    /// The network of `address`: itself, or the /64 of an IPv6 address.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(caller::network(address))
    }

    fn text(self) -> String {
        match self {
            Self::Member(member) => format!("m:{member}"),
            Self::Address(address) => format!("a:{address}"),
        }
    }
}

pub(crate) struct RateLimits {
    per_second: DefaultKeyedRateLimiter<RateLimitKey>,
    /// Used while Redis is away.
    per_minute: DefaultKeyedRateLimiter<RateLimitKey>,
    /// What one request takes of a minute.
    interval_us: i64,
    redis_counts: Coalescer<CountRequest, Option<i64>>,
    /// Requests that passed and are not counted in Redis yet.
    uncounted: Mutex<HashMap<RateLimitKey, Uncounted>>,
    clock: Arc<dyn Clock>,
}

/// One run of the script.
#[derive(Clone, Copy)]
struct CountRequest {
    key: RateLimitKey,
    now_us: i64,
    interval_us: i64,
    /// Requests before it that passed and were not counted yet.
    passed: i64,
}

/// A caller between two updates of Redis.
struct Uncounted {
    /// What was left of the minute at the last update.
    left_us: i64,
    /// Requests since.
    passed: i64,
    since: Instant,
}

impl RateLimits {
    /// Zero of either limit counts as one.
    pub(crate) fn new(
        per_second: u32,
        per_minute: u32,
        redis: Redis,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let per_minute = at_least_one(per_minute);
        Self {
            per_second: RateLimiter::keyed(Quota::per_second(at_least_one(per_second))),
            per_minute: RateLimiter::keyed(Quota::per_minute(per_minute)),
            interval_us: MINUTE_US / i64::from(per_minute.get()),
            redis_counts: Coalescer::batched(move |requests| count_all(redis.clone(), requests)),
            uncounted: Mutex::default(),
            clock,
        }
    }

    /// Counts a request of `key`; beyond a limit the error carries `Retry-After`.
    pub(crate) async fn check(&self, key: RateLimitKey) -> Result<(), ApiError> {
        if let Err(early) = self.per_second.check_key(&key) {
            let wait = early.wait_time_from(DefaultClock::default().now());
            return Err(rate_limited(wait));
        }
        let Some(passed) = self.take_uncounted(key) else {
            return Ok(());
        };
        let request = CountRequest {
            key,
            now_us: self.clock.now().timestamp_micros(),
            interval_us: self.interval_us,
            passed,
        };
        match self.redis_counts.get(request).await.flatten() {
            Some(early_us) => {
                self.record_left(key, -early_us);
                let early = u64::try_from(early_us).unwrap_or(0);
                if early == 0 {
                    return Ok(());
                }
                Err(rate_limited(Duration::from_micros(early)))
            }
            None => self.count_locally(key, passed),
        }
    }

    /// Counts a request, and those that passed uncounted before it, while Redis is away.
    fn count_locally(&self, key: RateLimitKey, passed: i64) -> Result<(), ApiError> {
        let uncounted = self.uncounted.lock().remove(&key);
        let passed = passed + uncounted.map_or(0, |uncounted| uncounted.passed);
        for _ in 0..passed {
            let _spent = self.per_minute.check_key(&key);
        }
        self.per_minute.check_key(&key).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            rate_limited(wait)
        })
    }

    /// Drops the keys whose buckets are full again.
    pub(crate) fn remove_expired(&self) {
        self.per_second.retain_recent();
        self.per_minute.retain_recent();
        self.uncounted
            .lock()
            .retain(|_, uncounted| uncounted.since.elapsed() < SYNC_INTERVAL);
    }

    /// How many requests of `key` must be counted in Redis before this one may pass; `None` when
    /// this one can be counted later.
    fn take_uncounted(&self, key: RateLimitKey) -> Option<i64> {
        let mut uncounted = self.uncounted.lock();
        let Some(uncounted) = uncounted.get_mut(&key) else {
            return Some(0);
        };
        let left_us = uncounted.left_us - (uncounted.passed + 1) * self.interval_us;
        if left_us * 2 >= MINUTE_US && uncounted.since.elapsed() < SYNC_INTERVAL {
            uncounted.passed += 1;
            return None;
        }
        uncounted.since = Instant::now();
        Some(std::mem::take(&mut uncounted.passed))
    }

    fn record_left(&self, key: RateLimitKey, left_us: i64) {
        let mut uncounted = self.uncounted.lock();
        let uncounted = uncounted.entry(key).or_insert_with(|| Uncounted {
            left_us,
            passed: 0,
            since: Instant::now(),
        });
        uncounted.left_us = left_us;
    }
}

/// Runs the script for every request in one round trip; `None` for each while Redis is away.
async fn count_all(redis: Redis, requests: Vec<CountRequest>) -> Vec<Option<i64>> {
    let mut commands = pipe();
    for request in &requests {
        let mut count = cmd("EVAL");
        count
            .arg(COUNT_SCRIPT)
            .arg(1)
            .arg(format!("rl:{}", request.key.text()))
            .arg(request.now_us)
            .arg(MINUTE_US)
            .arg(request.interval_us)
            .arg(request.passed);
        commands.add_command(count);
    }
    let answers: Option<Vec<i64>> = redis
        .run(|mut connection| async move {
            let answers = commands.query_async(&mut connection).await?;
            Ok::<_, RedisError>(answers)
        })
        .await;
    let answers = answers.unwrap_or_default();
    (0..requests.len())
        .map(|index| answers.get(index).copied())
        .collect()
}

fn rate_limited(wait: Duration) -> ApiError {
    metrics::counter!("gateway_rate_limited_total").increment(1);
    let wait_s = u64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX);
    ApiError::from(Reason::RateLimited).retry_after(wait_s.max(1))
}

#[cfg(test)]
mod tests {
    use kernel::SystemClock;

    use super::*;

    fn limits(per_second: u32, per_minute: u32) -> RateLimits {
        RateLimits::new(
            per_second,
            per_minute,
            Redis::absent(),
            Arc::new(SystemClock),
        )
    }

    #[actix_web::test]
    async fn without_redis_both_limits_still_hold() {
        let member = RateLimitKey::Member(MemberId(100_000));
        for limits in [limits(3, 1_000), limits(1_000, 3)] {
            for _ in 0..3 {
                assert!(limits.check(member).await.is_ok());
            }
            let rejected = limits.check(member).await.unwrap_err();
            assert_eq!(rejected.reason(), Reason::RateLimited);
            assert!(
                limits
                    .check(RateLimitKey::Member(MemberId(100_001)))
                    .await
                    .is_ok()
            );
        }
    }

    #[actix_web::test]
    async fn requests_not_yet_counted_when_redis_went_away_count_locally() {
        let (member, per_minute) = (RateLimitKey::Member(MemberId(100_000)), 100);
        let limits = limits(1_000, per_minute);
        let started = Instant::now();
        limits.record_left(member, MINUTE_US);
        let mut passed = 0;
        for _ in 0..300 {
            passed += u32::from(limits.check(member).await.is_ok());
        }
        // What the bucket has regained meanwhile.
        let more = started.elapsed().as_millis() * u128::from(per_minute) / 60_000 + 1;
        assert!(u128::from(passed - per_minute) <= more, "{passed}");
    }

    #[test]
    fn an_ipv6_network_is_one_caller() {
        let key = |text: &str| RateLimitKey::address(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("::ffff:192.0.2.1"), key("::ffff:192.0.2.2"));
    }
}
