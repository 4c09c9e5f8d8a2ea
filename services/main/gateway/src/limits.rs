//! How often one caller may ask: a burst per second, counted here, and a number per minute,
//! counted in Redis for all gateways together, or here while Redis is away. A caller who is far
//! from the limit is counted here for a moment and brought to Redis then.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::redis::{Redis, RedisError, pipe};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use kernel::{Clock, MemberId};
use parking_lot::Mutex;

use crate::error::{ApiError, Reason};
use crate::together::Together;

const MINUTE_S: i64 = 60;
/// A caller below half of the limit is counted in Redis no more often than this.
const COUNTED_HERE_FOR: Duration = Duration::from_millis(100);

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A member, from wherever.
    Member(MemberId),
    /// Somebody without a good token.
    Address(IpAddr),
}

impl Key {
    /// The key of an address. One household of IPv6 is one /64.
    pub(crate) fn address(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(_) => Self::Address(address),
            IpAddr::V6(six) => {
                let [a, b, c, d, ..] = six.segments();
                Self::Address(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
            }
        }
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
    per_minute: u32,
    /// How many requests of a key a minute has had after some more.
    counts: Together<Counted, Option<i64>>,
    /// What is counted here and not yet in Redis.
    begun: Mutex<HashMap<Key, Begun>>,
    clock: Arc<dyn Clock>,
}

/// Who asked, in which minute since 1970, and how often.
type Counted = (Key, i64, i64);

/// A caller between two looks at Redis.
struct Begun {
    minute: i64,
    /// What Redis said last.
    total: i64,
    /// What came since.
    more: i64,
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
        Self {
            burst: RateLimiter::keyed(Quota::per_second(at_least_one(per_second))),
            minute: RateLimiter::keyed(Quota::per_minute(at_least_one(per_minute))),
            per_minute,
            counts: Together::new(move |counted| count_all(redis.clone(), counted)),
            begun: Mutex::default(),
            clock,
        }
    }

    /// Counts a request of `key`, or refuses it and says when to come back.
    pub(crate) async fn check(&self, key: Key) -> Result<(), ApiError> {
        if let Err(early) = self.burst.check_key(&key) {
            let wait = early.wait_time_from(DefaultClock::default().now());
            return Err(refused(wait.as_secs() + 1));
        }
        let now_s = self.clock.now().timestamp();
        let minute = now_s / MINUTE_S;
        let Some(uncounted) = self.must_count(key, minute) else {
            return Ok(());
        };
        let counted = self.counts.ask((key, minute, uncounted)).await.flatten();
        if let Some(total) = counted {
            self.note(key, minute, total);
        }
        match counted {
            Some(count) if count > i64::from(self.per_minute) => {
                let wait_s = MINUTE_S - now_s.rem_euclid(MINUTE_S);
                Err(refused(wait_s.unsigned_abs()))
            }
            Some(_) => Ok(()),
            None => self.minute.check_key(&key).map_err(|early| {
                let wait = early.wait_time_from(DefaultClock::default().now());
                refused(wait.as_secs() + 1)
            }),
        }
    }

    /// Forgets the keys whose buckets are full again.
    pub(crate) fn tidy(&self) {
        self.burst.retain_recent();
        self.minute.retain_recent();
        let minute = self.clock.now().timestamp() / MINUTE_S;
        self.begun.lock().retain(|_, begun| begun.minute == minute);
    }

    /// How many requests of `key` must be counted in Redis before this one may pass, itself
    /// included; nothing when it can be counted later.
    fn must_count(&self, key: Key, minute: i64) -> Option<i64> {
        let mut begun = self.begun.lock();
        let Some(begun) = begun.get_mut(&key).filter(|begun| begun.minute == minute) else {
            return Some(1);
        };
        begun.more += 1;
        let is_far = (begun.total + begun.more) * 2 <= i64::from(self.per_minute);
        if is_far && begun.since.elapsed() < COUNTED_HERE_FOR {
            return None;
        }
        begun.since = Instant::now();
        Some(std::mem::take(&mut begun.more))
    }

    fn note(&self, key: Key, minute: i64, total: i64) {
        let mut begun = self.begun.lock();
        let begun = begun.entry(key).or_insert_with(|| Begun {
            minute,
            total,
            more: 0,
            since: Instant::now(),
        });
        if begun.minute < minute {
            begun.more = 0;
            begun.since = Instant::now();
        }
        begun.minute = begun.minute.max(minute);
        begun.total = total;
    }
}

/// Counts requests in Redis; the answer to each is the count after it.
async fn count_all(redis: Redis, counted: Vec<Counted>) -> Vec<Option<i64>> {
    let mut asked = pipe();
    for (key, minute, number) in &counted {
        let name = format!("rl:{}:{minute}", key.text());
        asked
            .incr(&name, *number)
            .expire(&name, 2 * MINUTE_S)
            .ignore();
    }
    let counts: Option<Vec<i64>> = redis
        .run(|mut connection| async move {
            let counts = asked.query_async(&mut connection).await?;
            Ok::<_, RedisError>(counts)
        })
        .await;
    let counts = counts.unwrap_or_default();
    (0..counted.len())
        .map(|place| counts.get(place).copied())
        .collect()
}

fn refused(wait_s: u64) -> ApiError {
    metrics::counter!("gateway_rate_limited_total").increment(1);
    ApiError::from(Reason::RateLimited).retry_after(wait_s)
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

    #[test]
    fn a_household_of_ipv6_is_one_caller() {
        let key = |text: &str| Key::address(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
    }
}
