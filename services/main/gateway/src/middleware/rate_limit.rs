//! Rate limits of one caller, and of some requests of one network: requests per second, counted in
//! this process, and requests per minute, counted in Redis for all gateways, or in this process while
//! Redis is away. Both are leaky buckets (GCRA): there is no window at whose turn a caller gets twice
//! as much, and `Retry-After` is short. Requests of a caller far from the limit are counted here first
//! and sent to Redis in batches.

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
use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::error::{ApiError, Reason};
use crate::upstream::coalescer::Coalescer;

const MINUTE_US: i64 = 60_000_000;
/// Files for one network: many of its phones may look at the same pages for the first time.
const FILES_PER_SECOND: u32 = 500;
const FILES_PER_MINUTE: u32 = 6_000;
/// A site may have so many times the hashes of one network: a household may hold several networks, but
/// whoever holds a whole site holds thousands.
const HASHES_OF_SITE: u32 = 2;
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
    /// The member of a correctly signed token that is not accepted, as an expired one. Counted apart,
    /// so that nobody who finds an old token can keep its member out.
    UnacceptedToken(MemberId),
    /// The network of a caller without a token of ours.
    Address(IpAddr),
    /// The start of a refresh token's hash.
    RefreshToken(u128),
    /// The network of refreshes, which name no member before auth has looked them up.
    Refreshes(IpAddr),
    /// The network of those who look at pictures, of which a page has dozens.
    Files(IpAddr),
    /// The network of those whose passwords are hashed, counted beside the caller: each of its members
    /// has a limit of their own.
    Hashes(IpAddr),
    /// The site of those, which may hold thousands of networks.
    HashesOfSite(IpAddr),
}

impl RateLimitKey {
    /// The network of `address`: itself, or the /64 of an IPv6 address.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(caller::network(address))
    }

    /// All refreshes from the network of `address`.
    pub(crate) fn refreshes(address: IpAddr) -> Self {
        Self::Refreshes(caller::network(address))
    }

    /// All reads of files from the network of `address`.
    pub(crate) fn files(address: IpAddr) -> Self {
        Self::Files(caller::network(address))
    }

    /// All passwords that are hashed for the network of `address`, and for its site.
    pub(crate) fn hashes(address: IpAddr) -> [Self; 2] {
        [
            Self::Hashes(caller::network(address)),
            Self::HashesOfSite(caller::site(address)),
        ]
    }

    pub(crate) fn refresh_token(token: &str) -> Self {
        let hash = Sha256::digest(token);
        let start = hash.first_chunk().copied().unwrap_or_default();
        Self::RefreshToken(u128::from_be_bytes(start))
    }

    fn text(self) -> String {
        match self {
            Self::Member(member) => format!("m:{member}"),
            Self::UnacceptedToken(member) => format!("u:{member}"),
            Self::Address(address) => format!("a:{address}"),
            Self::RefreshToken(hash) => format!("t:{hash:x}"),
            Self::Refreshes(address) => format!("r:{address}"),
            Self::Files(address) => format!("f:{address}"),
            Self::Hashes(address) => format!("h:{address}"),
            Self::HashesOfSite(address) => format!("hs:{address}"),
        }
    }
}

pub(crate) struct RateLimits {
    caller: Buckets,
    /// Counts all refreshes from one network.
    refreshes: Buckets,
    /// Counts all reads of files from one network.
    files: Buckets,
    /// Counts all passwords that are hashed for one network.
    hashes: Buckets,
    /// Counts all passwords that are hashed for one site.
    hashes_of_site: Buckets,
    redis_counts: Coalescer<CountRequest, Option<i64>>,
    /// Requests that passed and are not counted in Redis yet.
    uncounted: Mutex<HashMap<RateLimitKey, Uncounted>>,
    clock: Arc<dyn Clock>,
}

/// What was used of a limit, by key.
struct Buckets {
    per_second: DefaultKeyedRateLimiter<RateLimitKey>,
    /// Used while Redis is away.
    per_minute: DefaultKeyedRateLimiter<RateLimitKey>,
    /// What one request takes of a minute.
    interval_us: i64,
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

impl Buckets {
    /// Zero of either limit counts as one.
    fn new(per_second: u32, per_minute: u32) -> Self {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let per_minute = at_least_one(per_minute);
        Self {
            per_second: RateLimiter::keyed(Quota::per_second(at_least_one(per_second))),
            per_minute: RateLimiter::keyed(Quota::per_minute(per_minute)),
            interval_us: MINUTE_US / i64::from(per_minute.get()),
        }
    }

    fn remove_expired(&self) {
        self.per_second.retain_recent();
        self.per_minute.retain_recent();
    }
}

impl RateLimits {
    pub(crate) fn new(config: &Config, redis: Redis, clock: Arc<dyn Clock>) -> Self {
        let (refreshes, hashes) = (config.refreshes_per_minute, config.hashes_per_minute);
        let hashes_of_site = hashes.saturating_mul(HASHES_OF_SITE);
        Self {
            caller: Buckets::new(config.rate_limit_per_second, config.rate_limit_per_minute),
            // Phones that share an address may all wake in the same second.
            refreshes: Buckets::new(refreshes, refreshes),
            files: Buckets::new(FILES_PER_SECOND, FILES_PER_MINUTE),
            // How many are hashed at a time is limited apart.
            hashes: Buckets::new(hashes, hashes),
            hashes_of_site: Buckets::new(hashes_of_site, hashes_of_site),
            redis_counts: Coalescer::batched(move |requests| count_all(redis.clone(), requests)),
            uncounted: Mutex::default(),
            clock,
        }
    }

    /// Counts a request of `key`; beyond a limit the error carries `Retry-After`.
    pub(crate) async fn check(&self, key: RateLimitKey) -> Result<(), ApiError> {
        let buckets = self.buckets(key);
        if let Err(early) = buckets.per_second.check_key(&key) {
            let wait = early.wait_time_from(DefaultClock::default().now());
            return Err(rate_limited(wait));
        }
        let Some(passed) = self.take_uncounted(key) else {
            return Ok(());
        };
        let request = CountRequest {
            key,
            now_us: self.clock.now().timestamp_micros(),
            interval_us: buckets.interval_us,
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
        let per_minute = &self.buckets(key).per_minute;
        for _ in 0..passed {
            let _spent = per_minute.check_key(&key);
        }
        per_minute.check_key(&key).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            rate_limited(wait)
        })
    }

    /// Drops the keys whose buckets are full again.
    pub(crate) fn remove_expired(&self) {
        self.caller.remove_expired();
        self.refreshes.remove_expired();
        self.files.remove_expired();
        self.hashes.remove_expired();
        self.hashes_of_site.remove_expired();
        self.uncounted
            .lock()
            .retain(|_, uncounted| uncounted.since.elapsed() < SYNC_INTERVAL);
    }

    fn buckets(&self, key: RateLimitKey) -> &Buckets {
        match key {
            RateLimitKey::Refreshes(_) => &self.refreshes,
            RateLimitKey::Files(_) => &self.files,
            RateLimitKey::Hashes(_) => &self.hashes,
            RateLimitKey::HashesOfSite(_) => &self.hashes_of_site,
            RateLimitKey::Member(_)
            | RateLimitKey::UnacceptedToken(_)
            | RateLimitKey::Address(_)
            | RateLimitKey::RefreshToken(_) => &self.caller,
        }
    }

    /// How many requests of `key` must be counted in Redis before this one may pass; `None` when
    /// this one can be counted later.
    fn take_uncounted(&self, key: RateLimitKey) -> Option<i64> {
        let interval_us = self.buckets(key).interval_us;
        let mut uncounted = self.uncounted.lock();
        let Some(uncounted) = uncounted.get_mut(&key) else {
            return Some(0);
        };
        let left_us = uncounted.left_us - (uncounted.passed + 1) * interval_us;
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
    use clap::Parser;
    use kernel::SystemClock;

    use super::*;

    fn limits(per_second: u32, per_minute: u32) -> RateLimits {
        let config = Config::parse_from([
            "gateway".to_owned(),
            format!("--rate-limit-per-second={per_second}"),
            format!("--rate-limit-per-minute={per_minute}"),
            "--refreshes-per-minute=100".to_owned(),
        ]);
        RateLimits::new(&config, Redis::absent(), Arc::new(SystemClock))
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

    #[actix_web::test]
    async fn refreshes_of_a_network_have_a_limit_of_their_own() {
        let limits = limits(3, 3);
        let address = "192.0.2.1".parse().unwrap();
        for number in 0..100 {
            let token = RateLimitKey::refresh_token(&format!("token-{number}"));
            for key in [RateLimitKey::refreshes(address), token] {
                limits.check(key).await.unwrap();
            }
        }
        let more = limits.check(RateLimitKey::refreshes(address)).await;
        assert_eq!(more.unwrap_err().reason(), Reason::RateLimited);
        limits.check(RateLimitKey::address(address)).await.unwrap();
        let token = RateLimitKey::refresh_token("token-0");
        for is_allowed in [true, true, false] {
            assert_eq!(limits.check(token).await.is_ok(), is_allowed);
        }
    }

    #[test]
    fn an_ipv6_network_is_one_caller() {
        let key = |text: &str| RateLimitKey::address(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("::ffff:192.0.2.1"), key("::ffff:192.0.2.2"));
    }
}
