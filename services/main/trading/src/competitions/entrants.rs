//! How many take part in an event.

use std::sync::Arc;
use std::time::{Duration, Instant};

use moka::future::Cache;
use sea_orm::{ConnectionTrait, DbErr};

use super::competition;
use crate::store::{Store, sql};

/// Who takes part, by event; as old as [`EntrantsExpiry`] allows.
pub(crate) type EntrantsCache = Cache<i64, i64>;

/// Events whose numbers are kept.
const EVENTS_KEPT: u64 = 10_000;

/// Counting many takes long, and nobody sees the difference.
struct EntrantsExpiry;

pub(crate) fn cache() -> EntrantsCache {
    Cache::builder()
        .max_capacity(EVENTS_KEPT)
        .expire_after(EntrantsExpiry)
        .build()
}

impl Store {
    /// Who takes part; some seconds old. Counted once for all who ask at the same time.
    pub(super) async fn entrants(&self, id: i64) -> Result<i64, DbErr> {
        let count = async {
            let count = sql(
                "select count(*) as entrants from competition_entry \
                 where competition_id = $1 and left_at is null",
                [id.into()],
            );
            let row = self.db.query_one_raw(count).await?;
            row.map_or(Ok(0), |row| row.try_get("", "entrants"))
        };
        let entrants = self.entrants.try_get_with(id, count).await;
        entrants.map_err(|error: Arc<DbErr>| DbErr::Custom(error.to_string()))
    }

    /// After a change. Counting the entrants of a small event again costs little; of a large one nobody
    /// sees the difference.
    pub(super) async fn forget_entrants(&self, id: i64) -> Result<(), DbErr> {
        let found = competition::find(&self.db, id).await?;
        if found.is_some_and(|found| found.most_entrants.is_some()) {
            self.entrants.invalidate(&id).await;
        }
        Ok(())
    }
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
