//! How markets do: breadth, the best and the worst, sectors, gold here against the world, and the
//! members of indices.
//! Worked out once a minute and kept for that long.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kernel::MarketCode;
use market_rules::Venue;
use moka::future::Cache;
use proto::market::v1 as wire;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::index_constituents::IndexRule;
use crate::listing::{Order, Row};

const REFRESH: Duration = Duration::from_secs(60);
/// Items of each list.
const LIST_LENGTH: usize = 10;
/// What a sector without a code is called.
const UNKNOWN_SECTOR: &str = "unknown code";
/// Grams of a troy ounce.
const GRAMS_PER_OUNCE: Decimal = Decimal::from_parts(311_034_768, 0, 0, false, 7);

/// Answers that were worked out within the last minute.
#[derive(Clone)]
pub struct Trends {
    markets: Cache<i32, Arc<wire::Trend>>,
    gold: Cache<(), Arc<wire::GoldTrend>>,
    products: Cache<(), Arc<wire::ProductTrend>>,
    indices: Cache<IndexRule, Arc<wire::IndexConstituents>>,
}

impl Default for Trends {
    fn default() -> Self {
        Self {
            markets: minute(),
            gold: minute(),
            products: minute(),
            indices: minute(),
        }
    }
}

impl Trends {
    /// The trend of a market, worked out by `make` when it is due.
    pub async fn market(
        &self,
        kind: wire::TrendKind,
        make: impl FnOnce() -> wire::Trend,
    ) -> Arc<wire::Trend> {
        let made = async { Arc::new(make()) };
        self.markets.get_with(kind.into(), made).await
    }

    /// The trend of gold, worked out by `make` when it is due.
    pub async fn gold(&self, make: impl FnOnce() -> wire::GoldTrend) -> Arc<wire::GoldTrend> {
        self.gold.get_with((), async { Arc::new(make()) }).await
    }

    /// The members of an index, worked out by `make` when it is due.
    pub async fn index(
        &self,
        rule: IndexRule,
        make: impl FnOnce() -> wire::IndexConstituents,
    ) -> Arc<wire::IndexConstituents> {
        let made = async { Arc::new(make()) };
        self.indices.get_with(rule, made).await
    }

    /// The trend of products, read by `make` when it is due. A failure is not kept.
    ///
    /// # Errors
    /// What `make` failed with.
    pub async fn products<E: Send + Sync + 'static>(
        &self,
        make: impl Future<Output = Result<wire::ProductTrend, E>>,
    ) -> Result<Arc<wire::ProductTrend>, Arc<E>> {
        let made = async { make.await.map(Arc::new) };
        self.products.try_get_with((), made).await
    }
}

fn minute<K, V>() -> Cache<K, V>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    Cache::builder()
        .time_to_live(REFRESH)
        .max_capacity(8)
        .build()
}

/// What a trend is about, and the index that stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The markets of its items.
    pub markets: &'static [MarketCode],
    /// Where its reference value comes from.
    pub reference: Reference,
}

/// What stands for a whole market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// An index, by its code.
    Index(&'static str),
    /// The price of an instrument, by its code.
    Price(&'static str),
}

/// The scope of a kind; `None` when none was named.
#[must_use]
pub fn scope(kind: wire::TrendKind) -> Option<Scope> {
    let of = |markets, reference| Some(Scope { markets, reference });
    match kind {
        wire::TrendKind::Unspecified => None,
        wire::TrendKind::Kospi => of(&[MarketCode::Kospi], Reference::Index("0001")),
        wire::TrendKind::Kosdaq => of(&[MarketCode::Kosdaq], Reference::Index("1001")),
        wire::TrendKind::Global => of(&[MarketCode::Global], Reference::Index("SPX")),
        // Most of the ETFs follow it.
        wire::TrendKind::Etf => of(&[MarketCode::Etf], Reference::Index("2001")),
        wire::TrendKind::Coin => of(&[MarketCode::Coin], Reference::Price("KRW-BTC")),
    }
}

/// Whether a value of this age, in microseconds, is older than a price may be while its market
/// trades: what a market order would wait for (rule R2).
#[must_use]
pub fn is_delayed(venue: Venue, session: wire::SessionState, age_us: i64) -> bool {
    let most_s = match venue {
        Venue::Krx | Venue::Us => 60,
        Venue::Coin => 30,
        Venue::Gold => 300,
    };
    session == wire::SessionState::Open && age_us > most_s * 1_000_000
}

/// How many rose, stayed and fell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breadth {
    /// Rose.
    pub up: i32,
    /// Stayed.
    pub flat: i32,
    /// Fell.
    pub down: i32,
}

/// Counts what rose and fell.
#[must_use]
pub fn breadth(rows: &[Row]) -> Breadth {
    let mut breadth = Breadth::default();
    for row in rows {
        if row.change_percent > Decimal::ZERO {
            breadth.up += 1;
        } else if row.change_percent < Decimal::ZERO {
            breadth.down += 1;
        } else {
            breadth.flat += 1;
        }
    }
    breadth
}

/// Those that rose most.
#[must_use]
pub fn gainers(rows: &[Row]) -> Vec<Row> {
    best(rows, Order::RateUp, |row| {
        row.change_percent > Decimal::ZERO
    })
}

/// Those that fell most.
#[must_use]
pub fn losers(rows: &[Row]) -> Vec<Row> {
    best(rows, Order::RateDown, |row| {
        row.change_percent < Decimal::ZERO
    })
}

/// Those that most money was traded in.
#[must_use]
pub fn most_value(rows: &[Row]) -> Vec<Row> {
    best(rows, Order::TradedValue, |row| {
        row.value_won > Decimal::ZERO
    })
}

/// Those that most pieces were traded of.
#[must_use]
pub fn most_volume(rows: &[Row]) -> Vec<Row> {
    let traded = rows.iter().filter(|row| row.volume > Decimal::ZERO);
    let mut rows: Vec<Row> = traded.cloned().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.volume));
    rows.truncate(LIST_LENGTH);
    rows
}

fn best(rows: &[Row], order: Order, wanted: impl Fn(&Row) -> bool) -> Vec<Row> {
    let mut rows: Vec<Row> = rows.iter().filter(|row| wanted(row)).cloned().collect();
    order.sort(&mut rows);
    rows.truncate(LIST_LENGTH);
    rows
}

/// What a sector did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorRate {
    /// Code in the exchange's numbering; empty when there is none.
    pub code: String,
    /// Name.
    pub name: String,
    /// Percent, each company by its size, two decimals.
    pub rate: Decimal,
}

/// The sectors of `rows`, best first. A market whose items have no sectors has none.
#[must_use]
pub fn sectors(rows: &[Row]) -> Vec<SectorRate> {
    let mut sums: HashMap<(String, String), (Decimal, Decimal)> = HashMap::new();
    for row in rows {
        let code = row.instrument.sector_code.clone().unwrap_or_default();
        let name = row.instrument.sector_name.clone().unwrap_or_default();
        // A company of unknown size counts for a little, rather than not at all.
        let weight = row.market_cap_won.max(Decimal::ONE);
        let sum = sums.entry((code, name)).or_default();
        let moved = row.change_percent.saturating_mul(weight);
        sum.0 = sum.0.saturating_add(moved);
        sum.1 = sum.1.saturating_add(weight);
    }
    if sums.keys().all(|(_, name)| name.is_empty()) {
        return Vec::new();
    }
    let mut sectors: Vec<SectorRate> = sums
        .into_iter()
        .map(|((code, name), (moved, weight))| SectorRate {
            code,
            name: Some(name)
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| UNKNOWN_SECTOR.to_owned()),
            rate: two_decimals(moved.checked_div(weight).unwrap_or_default()),
        })
        .collect();
    sectors.sort_by(|one, other| other.rate.cmp(&one.rate).then(one.name.cmp(&other.name)));
    sectors
}

/// Gold here against gold in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premium {
    /// Percent that it costs more here, two decimals.
    pub rate: Decimal,
    /// Won per gram in the world, two decimals.
    pub world_won_per_gram: Decimal,
}

/// How much more a gram costs here (`domestic`, won) than in the world (`per_ounce`, dollars, at
/// `dollar_won`); `None` when a price is missing.
#[must_use]
pub fn premium(domestic: Decimal, per_ounce: Decimal, dollar_won: Decimal) -> Option<Premium> {
    let world = per_ounce
        .checked_mul(dollar_won)?
        .checked_div(GRAMS_PER_OUNCE)?;
    let ratio = domestic.checked_sub(world)?.checked_div(world)?;
    Some(Premium {
        rate: two_decimals(ratio.checked_mul(Decimal::ONE_HUNDRED)?),
        world_won_per_gram: two_decimals(world),
    })
}

fn two_decimals(value: Decimal) -> Decimal {
    value.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI32, Ordering};

    use rust_decimal_macros::dec;
    use tokio::task::JoinSet;

    use super::*;
    use crate::{index_constituents, seed};

    fn row(code: &str, change: Decimal, size: i64) -> Row {
        let universe = seed::MARKET.read().unwrap();
        let mut all = universe.instruments.into_iter();
        Row {
            instrument: Arc::new(all.find(|instrument| instrument.code == code).unwrap()),
            price_won: Decimal::ONE,
            change_percent: change,
            volume: Decimal::from(size),
            value_won: Decimal::from(size),
            market_cap_won: Decimal::from(size),
        }
    }

    #[tokio::test]
    async fn whoever_asks_for_an_index_gets_what_was_worked_out_for_the_first() {
        let fund = row("069500", dec!(0), 0).instrument;
        let rule = index_constituents::followed_by(&fund).unwrap();
        let trends = Trends::default();
        let made = Arc::new(AtomicI32::new(0));
        let mut asking = JoinSet::new();
        for _ in 0..100 {
            let (trends, made) = (trends.clone(), Arc::clone(&made));
            asking.spawn(async move {
                let work_out = || wire::IndexConstituents {
                    total: made.fetch_add(1, Ordering::Relaxed),
                    ..wire::IndexConstituents::default()
                };
                trends.index(rule, work_out).await.total
            });
        }
        assert_eq!(asking.join_all().await, [0; 100]);
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn only_what_rose_is_a_gainer() {
        let rows = [
            row("005930", dec!(1), 5),
            row("000660", dec!(-2), 9),
            row("005380", dec!(0), 1),
        ];
        let codes = |rows: Vec<Row>| -> Vec<String> {
            rows.iter().map(|row| row.instrument.code.clone()).collect()
        };
        assert_eq!(codes(gainers(&rows)), ["005930"]);
        assert_eq!(codes(losers(&rows)), ["000660"]);
        assert_eq!(codes(most_value(&rows)), ["000660", "005930", "005380"]);
        assert_eq!(codes(most_volume(&rows)), ["000660", "005930", "005380"]);
        let counted = breadth(&rows);
        assert_eq!((counted.up, counted.flat, counted.down), (1, 1, 1));
    }

    #[test]
    fn a_sector_moves_as_its_large_companies_do() {
        // Both of 전기·전자.
        let rows = [row("005930", dec!(4), 300), row("000660", dec!(0), 100)];
        let sectors = sectors(&rows);
        assert_eq!(sectors.len(), 1);
        assert_eq!(sectors[0].rate, dec!(3));
        assert_eq!(super::sectors(&[row("KRW-BTC", dec!(1), 1)]), []);
    }

    #[test]
    fn a_value_is_delayed_when_no_order_would_trade_at_it_any_more() {
        use wire::SessionState::{Auction, Closed, Open};
        let age = |seconds: i64| seconds * 1_000_000;
        for (venue, most) in [
            (Venue::Krx, 60),
            (Venue::Us, 60),
            (Venue::Coin, 30),
            (Venue::Gold, 300),
        ] {
            assert!(!is_delayed(venue, Open, age(most)), "{venue:?}");
            assert!(is_delayed(venue, Open, age(most) + 1), "{venue:?}");
            assert!(!is_delayed(venue, Closed, age(most) + 1), "{venue:?}");
            assert!(!is_delayed(venue, Auction, age(most) + 1), "{venue:?}");
        }
    }

    #[test]
    fn gold_is_compared_by_the_gram() {
        let same = premium(dec!(187628.54), dec!(3970), dec!(1470)).unwrap();
        assert_eq!(
            (same.rate, same.world_won_per_gram),
            (dec!(0), dec!(187628.54))
        );
        let dearer = premium(dec!(193257.4), dec!(3970), dec!(1470)).unwrap();
        assert_eq!(dearer.rate, dec!(3));
        assert_eq!(premium(dec!(1), dec!(0), dec!(1470)), None);
    }
}
