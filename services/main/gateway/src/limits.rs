//! How often one caller may ask: a burst per second, counted here, and a number per minute,
//! counted in Redis for all gateways together, or here while Redis is away. Neither has windows
//! that begin: what was used comes back evenly, so nobody gets twice as much around the turn of a
//! minute, and who is refused is told to come back after a moment. A caller who is far from the
//! limit is counted here for a moment and brought to Redis then.

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
use crate::together::Together;

const MINUTE_US: i64 = 60_000_000;
/// A caller who has more than half of the minute left is counted in Redis no more often than this.
const COUNTED_HERE_FOR: Duration = Duration::from_millis(100);

/// KEYS: what a caller has used, as the time until which it is used up. ARGV: now, a minute, the
/// share of one request, all in µs, and how many requests passed already without being counted.
/// Counts those and one more; answers how long this one is too early, or by a negative number how
/// much is left after it.
/// A time further ahead than a minute was written before the clock was set back.
const COUNT: &str = r"
local now, minute, share = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
used = math.min(used + share * tonumber(ARGV[4]), now + minute)
local early = used + share - now - minute
if early <= 0 then used = used + share end
redis.call('SET', KEYS[1], string.format('%.0f', used), 'PX', math.ceil((used - now) / 1000) + 1)
return early";

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A member, from wherever.
    Member(MemberId),
    /// Somebody without a good token.
    Address(IpAddr),
}

impl Key {
    /// The key of an address.
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

/// The counters.
pub(crate) struct Limits {
    burst: DefaultKeyedRateLimiter<Key>,
    minute: DefaultKeyedRateLimiter<Key>,
    /// What one request takes of a minute.
    share_us: i64,
    counts: Together<Counted, Option<i64>>,
    /// What is counted here and not yet in Redis.
    begun: Mutex<HashMap<Key, Begun>>,
    clock: Arc<dyn Clock>,
}

/// A request to be counted.
#[derive(Clone, Copy)]
struct Counted {
    key: Key,
    now_us: i64,
    share_us: i64,
    /// Requests before it that passed and were not counted yet.
    passed: i64,
}

/// A caller between two looks at Redis.
struct Begun {
    /// What Redis said last: how much of the minute is left.
    left_us: i64,
    /// How many came since.
    passed: i64,
    since: Instant,
}

impl Limits {
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
            burst: RateLimiter::keyed(Quota::per_second(at_least_one(per_second))),
            minute: RateLimiter::keyed(Quota::per_minute(per_minute)),
            share_us: MINUTE_US / i64::from(per_minute.get()),
            counts: Together::new(move |counted| count_all(redis.clone(), counted)),
            begun: Mutex::default(),
            clock,
        }
    }

    /// Counts a request of `key`, or refuses it and says when to come back.
    pub(crate) async fn check(&self, key: Key) -> Result<(), ApiError> {
        if let Err(early) = self.burst.check_key(&key) {
            let wait = early.wait_time_from(DefaultClock::default().now());
            return Err(refused(wait));
        }
        let Some(passed) = self.must_count(key) else {
            return Ok(());
        };
        let counted = Counted {
            key,
            now_us: self.clock.now().timestamp_micros(),
            share_us: self.share_us,
            passed,
        };
        match self.counts.ask(counted).await.flatten() {
            Some(early_us) => {
                self.note(key, -early_us);
                let early = u64::try_from(early_us).unwrap_or(0);
                if early == 0 {
                    return Ok(());
                }
                Err(refused(Duration::from_micros(early)))
            }
            None => self.count_here(key, passed),
        }
    }

    /// Counts a request here, because Redis is away, and before it those that passed uncounted.
    fn count_here(&self, key: Key, passed: i64) -> Result<(), ApiError> {
        let begun = self.begun.lock().remove(&key);
        let passed = passed + begun.map_or(0, |begun| begun.passed);
        for _ in 0..passed {
            let _spent = self.minute.check_key(&key);
        }
        self.minute.check_key(&key).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            refused(wait)
        })
    }

    /// Forgets the keys whose buckets are full again.
    pub(crate) fn tidy(&self) {
        self.burst.retain_recent();
        self.minute.retain_recent();
        self.begun
            .lock()
            .retain(|_, begun| begun.since.elapsed() < COUNTED_HERE_FOR);
    }

    /// How many requests of `key` passed that must be counted in Redis before this one may pass;
    /// nothing when it can be counted later.
    fn must_count(&self, key: Key) -> Option<i64> {
        let mut begun = self.begun.lock();
        let Some(begun) = begun.get_mut(&key) else {
            return Some(0);
        };
        let left_us = begun.left_us - (begun.passed + 1) * self.share_us;
        if left_us * 2 >= MINUTE_US && begun.since.elapsed() < COUNTED_HERE_FOR {
            begun.passed += 1;
            return None;
        }
        begun.since = Instant::now();
        Some(std::mem::take(&mut begun.passed))
    }

    fn note(&self, key: Key, left_us: i64) {
        let mut begun = self.begun.lock();
        let begun = begun.entry(key).or_insert_with(|| Begun {
            left_us,
            passed: 0,
            since: Instant::now(),
        });
        begun.left_us = left_us;
    }
}

/// Counts requests in Redis; the answer to each is how long it is too early.
async fn count_all(redis: Redis, counted: Vec<Counted>) -> Vec<Option<i64>> {
    let mut asked = pipe();
    for one in &counted {
        let mut count = cmd("EVAL");
        count
            .arg(COUNT)
            .arg(1)
            .arg(format!("rl:{}", one.key.text()))
            .arg(one.now_us)
            .arg(MINUTE_US)
            .arg(one.share_us)
            .arg(one.passed);
        asked.add_command(count);
    }
    let answers: Option<Vec<i64>> = redis
        .run(|mut connection| async move {
            let answers = asked.query_async(&mut connection).await?;
            Ok::<_, RedisError>(answers)
        })
        .await;
    let answers = answers.unwrap_or_default();
    (0..counted.len())
        .map(|place| answers.get(place).copied())
        .collect()
}

fn refused(wait: Duration) -> ApiError {
    metrics::counter!("gateway_rate_limited_total").increment(1);
    let wait_s = u64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX);
    ApiError::from(Reason::RateLimited).retry_after(wait_s.max(1))
}

#[cfg(test)]
mod tests {
    use kernel::SystemClock;

    use super::*;

    fn limits(per_second: u32, per_minute: u32) -> Limits {
        Limits::new(
            per_second,
            per_minute,
            Redis::absent(),
            Arc::new(SystemClock),
        )
    }

    #[actix_web::test]
    async fn without_redis_both_limits_still_hold() {
        let member = Key::Member(MemberId(100_000));
        for limits in [limits(3, 1_000), limits(1_000, 3)] {
            for _ in 0..3 {
                assert!(limits.check(member).await.is_ok());
            }
            let refused = limits.check(member).await.unwrap_err();
            assert_eq!(refused.reason(), Reason::RateLimited);
            assert!(limits.check(Key::Member(MemberId(100_001))).await.is_ok());
        }
    }

    #[actix_web::test]
    async fn what_was_not_counted_when_redis_went_counts_here() {
        let (member, per_minute) = (Key::Member(MemberId(100_000)), 100);
        let limits = limits(1_000, per_minute);
        let begun = Instant::now();
        // The last that Redis said.
        limits.note(member, MINUTE_US);
        let mut passed = 0;
        for _ in 0..300 {
            passed += u32::from(limits.check(member).await.is_ok());
        }
        // What came back meanwhile.
        let more = begun.elapsed().as_millis() * u128::from(per_minute) / 60_000 + 1;
        assert!(u128::from(passed - per_minute) <= more, "{passed}");
    }

    #[test]
    fn a_household_is_one_caller() {
        let key = |text: &str| Key::address(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("::ffff:192.0.2.1"), key("::ffff:192.0.2.2"));
    }
}
