//! How many take part in an event, in memory.

use std::time::{Duration, Instant};

use moka::future::Cache;

/// Entrants by event; as old as [`EntrantsExpiry`] allows.
pub(crate) type EntrantsCache = Cache<i64, i64>;

/// Events whose numbers are kept.
const EVENTS_KEPT: u64 = 10_000;

/// Counting many takes long, and nobody sees the difference.
struct EntrantsExpiry;

pub(super) fn new() -> EntrantsCache {
    Cache::builder()
        .max_capacity(EVENTS_KEPT)
        .expire_after(EntrantsExpiry)
        .build()
}

impl EntrantsExpiry {
    const FEW: i64 = 10_000;
    const KEPT: Duration = Duration::from_secs(5);
    const MANY_KEPT: Duration = Duration::from_secs(60);
}

impl moka::Expiry<i64, i64> for EntrantsExpiry {
    fn expire_after_create(&self, _: &i64, entrants: &i64, _: Instant) -> Option<Duration> {
        Some(if *entrants < Self::FEW {
            Self::KEPT
        } else {
            Self::MANY_KEPT
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_number_is_kept_longer() {
        let now = Instant::now();
        let kept = |entrants| {
            let expiry: &dyn moka::Expiry<i64, i64> = &EntrantsExpiry;
            expiry.expire_after_create(&1, &entrants, now)
        };
        assert_eq!(kept(50), Some(Duration::from_secs(5)));
        assert_eq!(kept(2_000_000), Some(Duration::from_secs(60)));
    }
}
