//! Prices and percentages as whole numbers of 10⁻⁸, so that sorted sets of them are exact and quick.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use proto::market::v1::Tick;
use rust_decimal::Decimal;

const SCALE: u32 = 8;
/// Percent of a whole, in units.
const HUNDRED: i128 = 100 * 100_000_000;

/// Those of a batch, in their order.
pub type TicksByCode = HashMap<Arc<str>, Vec<TickPrice>>;

/// The price of one tick, in the shares of its trading day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickPrice {
    pub seq: i64,
    pub trading_day: i32,
    pub event_time_us: i64,
    price: i64,
    prev_close: i64,
}

impl TickPrice {
    /// `None` for a price that the units cannot hold.
    #[must_use]
    pub fn of(tick: &Tick) -> Option<Self> {
        let power = 10_i64.checked_pow(SCALE.checked_sub(tick.price_scale)?)?;
        Some(Self {
            seq: tick.tick_seq,
            trading_day: tick.trading_day,
            event_time_us: tick.event_time_us,
            price: tick.price_units.checked_mul(power)?,
            prev_close: tick.prev_close_units.checked_mul(power)?,
        })
    }

    #[must_use]
    pub fn price(&self) -> Decimal {
        of_units(self.price)
    }

    /// What the tick reaches, with its price in the newest shares that `splits` know of.
    #[must_use]
    pub(super) fn reach(&self, splits: Option<&Splits>) -> Reach {
        let (old, new) = splits.map_or((1, 1), |splits| splits.ratio_after(self.trading_day));
        let price = i128::from(self.price).saturating_mul(old);
        let change = i128::from(self.price) - i128::from(self.prev_close);
        let change = change.saturating_mul(HUNDRED);
        let before = i128::from(self.prev_close);
        let has_close = before > 0;
        Reach {
            high: floor(price, new),
            low: ceil(price, new),
            rise: if has_close {
                floor(change, before)
            } else {
                i64::MIN
            },
            fall: if has_close {
                ceil(change, before)
            } else {
                i64::MAX
            },
        }
    }
}

/// The levels that ticks reach: alerts above fire up to `high`, alerts below down to `low`, alerts of a
/// change up to `rise` or down to `fall`. Exact, since levels are whole units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) high: i64,
    pub(super) low: i64,
    pub(super) rise: i64,
    pub(super) fall: i64,
}

impl Reach {
    pub(super) const NOTHING: Self = Self {
        high: i64::MIN,
        low: i64::MAX,
        rise: i64::MIN,
        fall: i64::MAX,
    };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            high: self.high.max(other.high),
            low: self.low.min(other.low),
            rise: self.rise.max(other.rise),
            fall: self.fall.min(other.fall),
        }
    }
}

/// The splits of one instrument: new and old shares by the first day at the new price.
#[derive(Clone, Debug, Default)]
pub(super) struct Splits(BTreeMap<i32, (i64, i64)>);

impl Splits {
    /// Whether the split was not known.
    pub(super) fn learn(&mut self, day: i32, (new, old): (i64, i64)) -> bool {
        let is_new = !self.0.contains_key(&day) && new > 0 && old > 0;
        if is_new {
            self.0.insert(day, (new, old));
        }
        is_new
    }

    /// Old and new shares of all splits after `day`, multiplied.
    fn ratio_after(&self, day: i32) -> (i128, i128) {
        let later = self
            .0
            .range(day.saturating_add(1)..)
            .map(|(_, split)| split);
        later.fold((1, 1), |(old, new), (more_new, more_old)| {
            let old = i128::saturating_mul(old, i128::from(*more_old));
            (old, i128::saturating_mul(new, i128::from(*more_new)))
        })
    }

    /// A price in shares of `day` in the newest ones, rounded as the database rounds.
    pub(super) fn newest(&self, price: i64, day: i32) -> i64 {
        let later = self
            .0
            .range(day.saturating_add(1)..)
            .map(|(_, split)| split);
        later.fold(price, |price, (new, old)| divided(price, *old, *new))
    }

    /// A price in the newest shares in those of `day`.
    pub(super) fn on_day(&self, price: i64, day: i32) -> i64 {
        let later = self.0.range(day.saturating_add(1)..).rev();
        later.fold(price, |price, (_, (new, old))| divided(price, *new, *old))
    }

    pub(super) fn newest_day(&self) -> Option<i32> {
        self.0.keys().next_back().copied()
    }
}

/// `None` for a value that the units cannot hold.
#[must_use]
pub(super) fn to_units(value: Decimal) -> Option<i64> {
    let mut value = value.round_dp(SCALE);
    value.rescale(SCALE);
    (value.scale() == SCALE).then_some(())?;
    i64::try_from(value.mantissa()).ok()
}

#[must_use]
pub(super) fn of_units(units: i64) -> Decimal {
    Decimal::new(units, SCALE).normalize()
}

/// A positive price times a ratio, half up.
fn divided(price: i64, by: i64, of: i64) -> i64 {
    let (by, of) = (i128::from(by), i128::from(of));
    let doubled = i128::from(price).saturating_mul(by).saturating_mul(2);
    saturated(doubled.saturating_add(of).div_euclid(of.saturating_mul(2)))
}

fn floor(value: i128, by: i128) -> i64 {
    saturated(value.div_euclid(by))
}

fn ceil(value: i128, by: i128) -> i64 {
    saturated(-(-value).div_euclid(by))
}

fn saturated(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}
