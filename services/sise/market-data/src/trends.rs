//! Market trends: breadth, gainers and losers, sectors, the gold premium, and index constituents.
//! Computed once a minute and cached.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kernel::MarketCode;
use market_rules::Venue;
use moka::future::Cache;
use proto::market::v1 as wire;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::index_constituents::IndexRule;
use crate::listing::{Row, SortOrder};

const REFRESH: Duration = Duration::from_secs(60);
const LIST_LENGTH: usize = 10;
/// Name of a sector without a code.
const UNKNOWN_SECTOR: &str = "unknown code";
/// Grams of a troy ounce.
const GRAMS_PER_OUNCE: Decimal = Decimal::from_parts(311_034_768, 0, 0, false, 7);

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
    /// Calls `make` when the cache has expired.
    pub async fn market(
        &self,
        kind: wire::TrendKind,
        make: impl FnOnce() -> wire::Trend,
    ) -> Arc<wire::Trend> {
        let made = async { Arc::new(make()) };
        self.markets.get_with(kind.into(), made).await
    }

    /// Calls `make` when the cache has expired.
    pub async fn gold(&self, make: impl FnOnce() -> wire::GoldTrend) -> Arc<wire::GoldTrend> {
        self.gold.get_with((), async { Arc::new(make()) }).await
    }

    /// Calls `make` when the cache has expired.
    pub async fn index(
        &self,
        rule: IndexRule,
        make: impl FnOnce() -> wire::IndexConstituents,
    ) -> Arc<wire::IndexConstituents> {
        let made = async { Arc::new(make()) };
        self.indices.get_with(rule, made).await
    }

    /// Calls `make` when the cache has expired. A failure is not cached.
    ///
    /// # Errors
    /// The error of `make`.
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

/// The markets of a trend and their reference value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub markets: &'static [MarketCode],
    pub reference: Reference,
}

/// The value that represents a market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// Code of an index.
    Index(&'static str),
    /// Code of an instrument.
    Price(&'static str),
}

/// `None` for an unspecified kind.
#[must_use]
pub fn scope(kind: wire::TrendKind) -> Option<Scope> {
    let of = |markets, reference| Some(Scope { markets, reference });
    match kind {
        wire::TrendKind::Unspecified => None,
        wire::TrendKind::Kospi => of(&[MarketCode::Kospi], Reference::Index("0001")),
        wire::TrendKind::Kosdaq => of(&[MarketCode::Kosdaq], Reference::Index("1001")),
        wire::TrendKind::Global => of(&[MarketCode::Global], Reference::Index("SPX")),
        // Most ETFs follow it.
        wire::TrendKind::Etf => of(&[MarketCode::Etf], Reference::Index("2001")),
        wire::TrendKind::Coin => of(&[MarketCode::Coin], Reference::Price("KRW-BTC")),
    }
}

/// Whether a value is older (in microseconds) than a price may be while its market trades: the age
/// at which a market order would wait.
#[must_use]
pub fn is_delayed(venue: Venue, session: wire::SessionState, age_us: i64) -> bool {
    let most_s = match venue {
        Venue::Krx | Venue::Us => 60,
        Venue::Coin => 30,
        Venue::Gold => 300,
    };
    session == wire::SessionState::Open && age_us > most_s * 1_000_000
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breadth {
    pub up: i32,
    pub flat: i32,
    pub down: i32,
}

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

/// Largest gains first.
#[must_use]
pub fn gainers(rows: &[Row]) -> Vec<Row> {
    best(rows, SortOrder::RateUp, |row| {
        row.change_percent > Decimal::ZERO
    })
}

/// Largest losses first.
#[must_use]
pub fn losers(rows: &[Row]) -> Vec<Row> {
    best(rows, SortOrder::RateDown, |row| {
        row.change_percent < Decimal::ZERO
    })
}

/// Largest traded value first.
#[must_use]
pub fn most_value(rows: &[Row]) -> Vec<Row> {
    best(rows, SortOrder::TradedValue, |row| {
        row.value_won > Decimal::ZERO
    })
}

/// Largest volume first.
#[must_use]
pub fn most_volume(rows: &[Row]) -> Vec<Row> {
    let traded = rows.iter().filter(|row| row.volume > Decimal::ZERO);
    let mut rows: Vec<Row> = traded.cloned().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.volume));
    rows.truncate(LIST_LENGTH);
    rows
}

fn best(rows: &[Row], order: SortOrder, wanted: impl Fn(&Row) -> bool) -> Vec<Row> {
    let mut rows: Vec<Row> = rows.iter().filter(|row| wanted(row)).cloned().collect();
    order.sort(&mut rows);
    rows.truncate(LIST_LENGTH);
    rows
}

/// The return of a sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorRate {
    /// Code in the exchange's numbering; empty when there is none.
    pub code: String,
    pub name: String,
    /// Percent, weighted by market value, two decimals.
    pub rate: Decimal,
}

/// Best first; empty for markets without sectors.
#[must_use]
pub fn sectors(rows: &[Row]) -> Vec<SectorRate> {
    let mut sums: HashMap<(String, String), (Decimal, Decimal)> = HashMap::new();
    for row in rows {
        let code = row.instrument.sector_code.clone().unwrap_or_default();
        let name = row.instrument.sector_name.clone().unwrap_or_default();
        // A company of unknown size has a small weight instead of none.
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

/// The domestic gold price compared with the world price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premium {
    /// Premium in percent, two decimals.
    pub rate: Decimal,
    /// World price in won per gram, two decimals.
    pub world_won_per_gram: Decimal,
}

/// Compares `domestic` (won per gram) with `per_ounce` (dollars) at `dollar_won`; `None` when a
/// price is missing.
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
    async fn the_constituents_of_an_index_are_computed_once() {
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
    fn only_rising_items_are_gainers() {
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
