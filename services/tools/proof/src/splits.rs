//! The share splits configured for this run, and their effect on orders and holdings.

use std::str::FromStr;

use rust_decimal::Decimal;

use crate::order::OrderSheet;

/// The splits of a run, written as `MARKET_EVENTS` is: `split CODE DAY NEW/OLD; …`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Splits(pub(crate) Vec<Split>);

/// `new` shares for `old` ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) code: String,
    /// The first day in new shares, yyyymmdd.
    pub(crate) trading_day: i32,
    pub(crate) new: Decimal,
    pub(crate) old: Decimal,
}

impl Splits {
    /// At most one per instrument.
    pub(crate) fn of(&self, code: &str) -> Option<&Split> {
        self.0.iter().find(|split| split.code == code)
    }
}

impl Split {
    /// The price of an order after the split, rounded to the nearest tick.
    pub(crate) fn price(&self, old: Decimal, sheet: &OrderSheet) -> Option<Decimal> {
        let exact = old.checked_mul(self.old)?.checked_div(self.new)?;
        let tick = sheet.tick_at(exact)?;
        let below = exact - exact.checked_rem(tick)?;
        let above = below + tick;
        Some(if exact - below < above - exact {
            below
        } else {
            above
        })
    }

    /// Whole shares of an order or a holding after the split.
    pub(crate) fn quantity(&self, old: Decimal) -> Decimal {
        self.exact_quantity(old).trunc()
    }

    /// Includes the fraction of a share, to eight decimals.
    pub(crate) fn exact_quantity(&self, old: Decimal) -> Decimal {
        let exact = (old * self.new).checked_div(self.old);
        exact.unwrap_or_default().trunc_with_scale(8)
    }
}

impl FromStr for Splits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let events = text.split(';').filter(|one| !one.trim().is_empty());
        let splits =
            events.map(|one| parse_split(one).ok_or_else(|| format!("'{one}' is not a split")));
        splits.collect::<Result<_, _>>().map(Self)
    }
}

fn parse_split(event: &str) -> Option<Split> {
    let words: Vec<&str> = event.split_whitespace().collect();
    let ["split", code, day, ratio] = words.as_slice() else {
        return None;
    };
    let (new, old) = ratio.split_once('/')?;
    Some(Split {
        code: (*code).to_owned(),
        trading_day: day.replace('-', "").parse().ok()?,
        new: new.parse().ok()?,
        old: old.parse().ok()?,
    })
}
