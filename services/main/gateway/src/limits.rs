//! How often one caller may ask: a burst per second, counted here, and a number per minute,
//! counted in Redis for all gateways together, or here while Redis is away.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;

use bootstrap::redis::{Redis, pipe};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use kernel::{Clock, MemberId};

use crate::error::{ApiError, Reason};

const MINUTE_S: i64 = 60;

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
    redis: Redis,
    clock: Arc<dyn Clock>,
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
            redis,
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
        match self.count_in_redis(key, now_s / MINUTE_S).await {
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
    }

    async fn count_in_redis(&self, key: Key, minute: i64) -> Option<i64> {
        let name = format!("rl:{}:{minute}", key.text());
        self.redis
            .run(|mut connection| async move {
                let (count,): (i64,) = pipe()
                    .incr(&name, 1)
                    .expire(&name, 2 * MINUTE_S)
                    .ignore()
                    .query_async(&mut connection)
                    .await?;
                Ok::<_, bootstrap::redis::RedisError>(count)
            })
            .await
    }
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

    #[tokio::test]
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
