//! What accounts of competitions have filled on the trading days that are not over, by item.
//!
//! A program fills tens of thousands of orders a day, and every further order would read all of them while it has
//! accounts locked. What an account with many fills has filled is kept in memory, so that only what came after is
//! read: the fills of a member are committed in the order of their numbers.

use std::collections::BTreeMap;
use std::time::Duration;

use kernel::{AccountId, Quantity};
use moka::future::Cache;

/// Accounts whose sums are kept.
const ACCOUNTS_KEPT: u64 = 10_000;
/// After an order. The next one also reads what the member has filled on other accounts since.
const KEPT: Duration = Duration::from_secs(3_600);
/// Fewer fills are read for every order.
const MANY: i64 = 100;

pub(crate) type FilledCache = Cache<AccountId, Filled>;

pub(crate) fn cache() -> FilledCache {
    Cache::builder()
        .max_capacity(ACCOUNTS_KEPT)
        .time_to_live(KEPT)
        .build()
}

/// Sums of the fills of an account.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filled {
    /// The first trading day.
    since: i32,
    /// The member's newest fill that is counted; zero while none is.
    last_seq: i64,
    fills: i64,
    by_item: BTreeMap<String, BTreeMap<i32, Quantity>>,
}

impl Filled {
    /// The sums that are known of these days; none of an account with few fills.
    pub(super) async fn known(cache: &FilledCache, account: AccountId, since: i32) -> Self {
        let known = cache.get(&account).await;
        let mut known = known
            .filter(|known| known.since <= since)
            .unwrap_or_default();
        known.since = since;
        known.by_item.retain(|_, days| {
            days.retain(|day, _| *day >= since);
            !days.is_empty()
        });
        known
    }

    /// The member's newest fill that is counted; `None` while the days must be read from their beginning.
    pub(super) fn last_seq(&self) -> Option<i64> {
        (self.last_seq > 0).then_some(self.last_seq)
    }

    /// Counts what has filled of an item on a day, up to a fill of the member.
    pub(super) fn add(
        &mut self,
        (code, day): (String, i32),
        quantity: Quantity,
        (fills, last_seq): (i64, i64),
    ) {
        self.fills += fills;
        self.last_seq = self.last_seq.max(last_seq);
        if day >= self.since {
            let days = self.by_item.entry(code).or_default();
            days.entry(day).or_default().0 += quantity.0;
        }
    }

    pub(super) fn of(&self, code: &str, day: i32) -> Quantity {
        let days = self.by_item.get(code);
        let filled = days.and_then(|days| days.get(&day));
        filled.copied().unwrap_or_default()
    }

    /// Keeps the sums for later orders, where there are many fills.
    pub(super) async fn keep(&self, cache: &FilledCache, account: AccountId) {
        if self.fills >= MANY {
            cache.insert(account, self.clone()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    const TODAY: i32 = 20_261_120;
    const ME: AccountId = AccountId(7);

    fn shares(count: i64) -> Quantity {
        Quantity(Decimal::from(count))
    }

    #[tokio::test]
    async fn sums_of_many_fills_are_kept() {
        let cache = cache();
        let item = |day| ("005930".to_owned(), day);
        let mut filled = Filled::known(&cache, ME, TODAY).await;
        filled.add(item(TODAY), shares(3), (MANY - 1, 150));
        filled.keep(&cache, ME).await;
        assert_eq!(Filled::known(&cache, ME, TODAY).await.last_seq(), None);
        filled.add(item(TODAY), shares(2), (1, 152));
        filled.keep(&cache, ME).await;
        let mut known = Filled::known(&cache, ME, TODAY).await;
        assert_eq!(known.last_seq(), Some(152));
        assert_eq!(known.of("005930", TODAY), shares(5));
        // Of another account of the member.
        known.add(item(TODAY), shares(0), (0, 160));
        assert_eq!(known.last_seq(), Some(160));
        assert_eq!(known.of("005930", TODAY), shares(5));
    }

    #[tokio::test]
    async fn days_that_are_over_are_forgotten_and_older_ones_are_read() {
        let cache = cache();
        let item = |day| ("005930".to_owned(), day);
        let mut filled = Filled::known(&cache, ME, TODAY).await;
        filled.add(item(TODAY), shares(3), (MANY, 100));
        filled.add(item(TODAY + 1), shares(2), (MANY, 200));
        filled.keep(&cache, ME).await;
        let mut tomorrow = Filled::known(&cache, ME, TODAY + 1).await;
        tomorrow.add(item(TODAY), shares(9), (0, 201));
        let days = [TODAY, TODAY + 1].map(|day| tomorrow.of("005930", day));
        assert_eq!(
            (days, tomorrow.last_seq()),
            ([shares(0), shares(2)], Some(201))
        );
        let yesterday = Filled::known(&cache, ME, TODAY - 1).await;
        assert_eq!(yesterday.last_seq(), None);
        assert_eq!(yesterday.of("005930", TODAY), shares(0));
    }
}
