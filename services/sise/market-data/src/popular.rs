//! Popular lists: the most traded and most opened items, computed once a minute.
//!
//! The score of an item is 45 parts of its rank by traded value today, 30 parts of its rank by
//! distinct members who opened it within a day (an opening's weight halves in six hours), and 25
//! parts of its rank by members who like or hold it. A list is cached for 60 s in memory and in a
//! Redis sorted set, so that replicas agree. Openings are read once a minute for all lists.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bootstrap::redis::{AsyncCommands, Redis, RedisError, pipe};
use kernel::{Clock, MarketCode, WarningCode};
use moka::future::Cache;
use rust_decimal::Decimal;

use crate::listing::Row;
use crate::store::Store;

const LIST_LENGTH: usize = 20;
/// Shorter lists are filled up by market value.
const MIN_LENGTH: usize = 5;
const REFRESH: Duration = Duration::from_secs(60);

const VALUE_PARTS: i64 = 45;
const OPENING_PARTS: i64 = 30;
const FOLLOWER_PARTS: i64 = 25;
/// Rank of the best item.
const TOP_RANK: i64 = 10_000;

/// The popular lists of all combinations of markets.
#[derive(Clone)]
pub struct Popular {
    store: Store,
    redis: Redis,
    clock: Arc<dyn Clock>,
    /// Prefix of Redis keys.
    prefix: String,
    lists: Cache<String, Arc<Vec<String>>>,
    /// The weight of each item's openings, the same for every list.
    openings: Cache<(), Arc<HashMap<String, i64>>>,
}

impl Popular {
    /// `prefix` is the prefix of Redis keys (`pop:`).
    #[must_use]
    pub fn new(store: Store, redis: Redis, clock: Arc<dyn Clock>, prefix: &str) -> Self {
        Self {
            store,
            redis,
            clock,
            prefix: prefix.to_owned(),
            lists: Cache::builder()
                .time_to_live(REFRESH)
                .max_capacity(64)
                .build(),
            openings: Cache::builder()
                .time_to_live(REFRESH)
                .max_capacity(1)
                .build(),
        }
    }

    /// Codes of the most popular items of `markets`, best first. `rows` returns the candidates and
    /// is called only when the list must be computed.
    pub async fn codes(
        &self,
        markets: &[MarketCode],
        rows: impl FnOnce() -> Vec<Row> + Send,
    ) -> Arc<Vec<String>> {
        let name = self.key(markets);
        let list = self.lists.get_with(name.clone(), async {
            if let Some(codes) = self.load(&name).await {
                return Arc::new(codes);
            }
            let openings = self.openings().await;
            let ranked = rank(rows(), &openings, &self.followers().await);
            self.save(&name, &ranked).await;
            Arc::new(ranked.into_iter().map(|(code, _)| code).collect())
        });
        list.await
    }

    fn key(&self, markets: &[MarketCode]) -> String {
        let wanted = |market: &MarketCode| markets.is_empty() || markets.contains(market);
        let names = MarketCode::ALL.into_iter().filter(wanted);
        let names: Vec<&str> = names.map(MarketCode::as_str).collect();
        format!("{}{}", self.prefix, names.join("+"))
    }

    /// The weighted openings per item; empty when the database is unavailable, which is not cached.
    async fn openings(&self) -> Arc<HashMap<String, i64>> {
        let read = async {
            let weights = self.store.opening_weights(self.clock.now()).await;
            weights.map(Arc::new)
        };
        let weights = self.openings.try_get_with((), read).await;
        weights.unwrap_or_else(|error| {
            tracing::warn!(%error, "Openings could not be read, ranking without them");
            Arc::default()
        })
    }

    /// Members who like or hold each item; empty when the database is unavailable.
    async fn followers(&self) -> HashMap<String, i64> {
        let followers = self.store.followers_of_items().await;
        let followers = followers.unwrap_or_else(|error| {
            tracing::warn!(%error, "Followers could not be read, ranking without them");
            Vec::new()
        });
        followers.into_iter().collect()
    }

    async fn load(&self, name: &str) -> Option<Vec<String>> {
        let name = name.to_owned();
        let last = isize::try_from(LIST_LENGTH).ok()? - 1;
        let stored = self.redis.run(|mut connection| async move {
            let codes: Result<Vec<String>, RedisError> = connection.zrevrange(name, 0, last).await;
            codes
        });
        stored.await.filter(|codes| !codes.is_empty())
    }

    async fn save(&self, name: &str, ranked: &[(String, i64)]) {
        if ranked.is_empty() {
            return;
        }
        // The stored score is the position: Redis orders equal scores by member.
        let positions: Vec<(usize, &String)> = ranked
            .iter()
            .rev()
            .enumerate()
            .map(|(position, (code, _))| (position, code))
            .collect();
        let seconds = i64::try_from(REFRESH.as_secs()).unwrap_or(i64::MAX);
        let mut commands = pipe();
        commands
            .atomic()
            .del(name)
            .ignore()
            .zadd_multiple(name, &positions)
            .ignore()
            .expire(name, seconds)
            .ignore();
        let kept = self.redis.run(|mut connection| async move {
            let done: Result<(), RedisError> = commands.query_async(&mut connection).await;
            done
        });
        kept.await;
    }
}

/// The best items with their scores. Halted and dangerous items are excluded; items without any
/// activity only fill up a short list.
fn rank(
    rows: Vec<Row>,
    openings: &HashMap<String, i64>,
    followers: &HashMap<String, i64>,
) -> Vec<(String, i64)> {
    let mut rows: Vec<Row> = rows.into_iter().filter(is_listed).collect();
    rows.sort_by_key(|row| Reverse(row.market_cap_won));
    let of_item = |counts: &HashMap<String, i64>, row: &Row| {
        Decimal::from(counts.get(&row.instrument.code).copied().unwrap_or(0))
    };
    let by_value = ranks(&rows, |row| row.value_won);
    let by_opening = ranks(&rows, |row| of_item(openings, row));
    let by_follower = ranks(&rows, |row| of_item(followers, row));
    let mut scored: Vec<(String, i64)> = Vec::with_capacity(rows.len());
    let figures = by_value.into_iter().zip(by_opening).zip(by_follower);
    for (row, ((value, opening), follower)) in rows.iter().zip(figures) {
        let score = VALUE_PARTS * value + OPENING_PARTS * opening + FOLLOWER_PARTS * follower;
        scored.push((row.instrument.code.clone(), score));
    }
    // The sort is stable: the larger company comes first among equal scores.
    scored.sort_by_key(|(_, score)| Reverse(*score));
    let active = scored.iter().filter(|(_, score)| *score > 0).count();
    let length = if active < MIN_LENGTH {
        LIST_LENGTH
    } else {
        active.min(LIST_LENGTH)
    };
    scored.truncate(length);
    scored
}

fn is_listed(row: &Row) -> bool {
    let instrument = &row.instrument;
    !instrument.halted && instrument.warning != WarningCode::Danger
}

/// For each row the share of rows below it in ten-thousandths; zero for a figure of zero.
fn ranks(rows: &[Row], figure: impl Fn(&Row) -> Decimal) -> Vec<i64> {
    let mut figures: Vec<Decimal> = rows.iter().map(&figure).collect();
    figures.sort_unstable();
    let others = i64::try_from(rows.len().saturating_sub(1))
        .unwrap_or(i64::MAX)
        .max(1);
    let rank_of = |row: &Row| {
        let own = figure(row);
        if own <= Decimal::ZERO {
            return 0;
        }
        let behind = figures.partition_point(|other| *other < own);
        let behind = i64::try_from(behind).unwrap_or(i64::MAX);
        (TOP_RANK * behind / others).max(1)
    };
    rows.iter().map(rank_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Instrument;
    use crate::seed;

    fn rows(values: &[(&str, i64)]) -> Vec<Row> {
        let universe = seed::MARKET.read().unwrap();
        let rows = universe.instruments.into_iter();
        let rows = rows.filter(|row| row.market == MarketCode::Kospi).take(30);
        rows.map(|instrument| {
            let value = values.iter().find(|(code, _)| *code == instrument.code);
            Row {
                market_cap_won: Decimal::from(instrument.market_cap.unwrap()),
                instrument: Arc::new(instrument),
                price_won: Decimal::ZERO,
                change_percent: Decimal::ZERO,
                volume: Decimal::ZERO,
                value_won: Decimal::from(value.map_or(0, |(_, value)| *value)),
            }
        })
        .collect()
    }

    fn codes(ranked: &[(String, i64)]) -> Vec<&str> {
        ranked.iter().map(|(code, _)| code.as_str()).collect()
    }

    #[test]
    fn what_is_traded_opened_and_followed_comes_first() {
        let values = [
            ("005930", 10),
            ("000660", 30),
            ("402340", 20),
            ("009150", 5),
            ("005380", 4),
        ];
        let traded = rank(rows(&values), &HashMap::new(), &HashMap::new());
        assert_eq!(
            codes(&traded),
            ["000660", "402340", "005930", "009150", "005380"]
        );
        let openings = HashMap::from([("005380".to_owned(), 3_000_000)]);
        let opened = rank(rows(&values), &openings, &HashMap::new());
        assert_eq!(codes(&opened)[0], "005380");
        let followers = HashMap::from([("005380".to_owned(), 2), ("009150".to_owned(), 5)]);
        let followed = rank(rows(&values), &HashMap::new(), &followers);
        assert_eq!(codes(&followed)[..2], ["009150", "005380"]);
    }

    #[test]
    fn a_short_list_is_filled_by_market_value() {
        let ranked = rank(rows(&[("402340", 1)]), &HashMap::new(), &HashMap::new());
        assert_eq!(ranked.len(), LIST_LENGTH);
        assert_eq!(codes(&ranked)[..3], ["402340", "005930", "000660"]);
    }

    #[test]
    fn halted_and_dangerous_items_are_excluded() {
        let mut candidates = rows(&[("005930", 9), ("000660", 8)]);
        for (row, halted) in candidates.iter_mut().zip([true, false]) {
            let mut instrument = Instrument::clone(&row.instrument);
            instrument.halted = halted;
            instrument.warning = if halted {
                WarningCode::None
            } else {
                WarningCode::Danger
            };
            row.instrument = Arc::new(instrument);
        }
        let ranked = rank(candidates, &HashMap::new(), &HashMap::new());
        assert!(!codes(&ranked).contains(&"005930") && !codes(&ranked).contains(&"000660"));
    }
}
