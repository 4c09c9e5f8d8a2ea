//! Rows of lists: an instrument with its quote, and the sort orders.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::sync::Arc;

use kernel::{Currency, MarketCode};
use proto::convert::scaled;
use proto::market::v1 as wire;
use rust_decimal::Decimal;

use crate::catalogue::{Catalogue, Instrument};
use crate::quotes::QuoteBoard;

pub const PAGE_SIZE: usize = 20;

/// An instrument with the figures that lists sort by. Figures are zero before the first tick.
#[derive(Clone, Debug)]
pub struct Row {
    pub instrument: Arc<Instrument>,
    /// Last price in won.
    pub price_won: Decimal,
    /// Change since the previous close in percent.
    pub change_percent: Decimal,
    /// Today's volume in shares, coins or grams.
    pub volume: Decimal,
    /// Today's traded value in won.
    pub value_won: Decimal,
    /// Zero = unknown.
    pub market_cap_won: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// Largest company first.
    MarketCap,
    Name,
    /// Largest gain first.
    RateUp,
    /// Largest loss first.
    RateDown,
    /// Most traded first.
    TradedValue,
    /// Most expensive first, in won.
    Price,
}

impl SortOrder {
    /// Unspecified means by traded value.
    #[must_use]
    pub fn from_wire(sort: wire::ItemSort) -> Self {
        match sort {
            wire::ItemSort::Unspecified | wire::ItemSort::TradedValue => Self::TradedValue,
            wire::ItemSort::MarketCap => Self::MarketCap,
            wire::ItemSort::Name => Self::Name,
            wire::ItemSort::RateUp => Self::RateUp,
            wire::ItemSort::RateDown => Self::RateDown,
            wire::ItemSort::Price => Self::Price,
        }
    }

    pub fn sort(self, rows: &mut [Row]) {
        match self {
            Self::MarketCap => rows.sort_by_key(|row| Reverse(row.market_cap_won)),
            Self::Name => rows.sort_by(by_name),
            Self::RateUp => rows.sort_by_key(|row| Reverse(row.change_percent)),
            Self::RateDown => rows.sort_by_key(|row| row.change_percent),
            Self::TradedValue => rows.sort_by_key(|row| Reverse(row.value_won)),
            Self::Price => rows.sort_by_key(|row| Reverse(row.price_won)),
        }
    }
}

impl Row {
    /// `dollar_won` applies to dollar prices without a rate of their own; without any rate their
    /// value in won is zero.
    #[must_use]
    pub fn of(
        instrument: &Arc<Instrument>,
        tick: Option<&wire::Tick>,
        dollar_won: Option<Decimal>,
    ) -> Self {
        let price = |units: fn(&wire::Tick) -> i64| {
            let read = |tick: &wire::Tick| scaled(units(tick), tick.price_scale, "price").ok();
            tick.and_then(read).unwrap_or_default()
        };
        let (last, before) = (
            price(|tick| tick.price_units),
            price(|tick| tick.prev_close_units),
        );
        let volume = tick.and_then(|tick| {
            let read = scaled(tick.acc_volume_units, tick.volume_scale, "volume");
            read.ok()
        });
        let rate = match (instrument.currency, tick.map_or(0, |tick| tick.fx_rate_e4)) {
            (Currency::Krw, _) => Decimal::ONE,
            (Currency::Usd, 0) => dollar_won.unwrap_or_default(),
            (Currency::Usd, rate_e4) => Decimal::new(rate_e4, 4),
        };
        let change = last.saturating_sub(before).checked_div(before);
        let price_won = last.saturating_mul(rate);
        Self {
            instrument: Arc::clone(instrument),
            price_won,
            change_percent: change
                .unwrap_or_default()
                .saturating_mul(Decimal::ONE_HUNDRED),
            volume: volume.unwrap_or_default(),
            value_won: price_won.saturating_mul(volume.unwrap_or_default()),
            market_cap_won: Decimal::from(instrument.market_cap.unwrap_or(0)).saturating_mul(rate),
        }
    }
}

/// The rows of `markets` (all when empty), in the order of the catalogue.
#[must_use]
pub fn rows(
    catalogue: &Catalogue,
    board: &QuoteBoard,
    markets: &[MarketCode],
    dollar_won: Option<Decimal>,
) -> Vec<Row> {
    let snapshot = board.snapshot(&[]);
    let ticks = snapshot.ticks.iter();
    let ticks: HashMap<&str, &wire::Tick> = ticks.map(|tick| (tick.code.as_str(), tick)).collect();
    let instruments = catalogue.instruments().iter();
    instruments
        .filter(|instrument| markets.is_empty() || markets.contains(&instrument.market))
        .map(|instrument| {
            let tick = ticks.get(instrument.code.as_str()).copied();
            Row::of(instrument, tick, dollar_won)
        })
        .collect()
}

/// The quote is absent before the first tick.
#[must_use]
pub fn item(instrument: &Instrument, board: &QuoteBoard) -> wire::Item {
    wire::Item {
        instrument: Some(instrument_to_wire(instrument, board)),
        quote: board.quote(&instrument.code),
    }
}

/// One page (from 1) of sorted rows; empty beyond the last page.
#[must_use]
pub fn page<R>(rows: &[R], page: i32) -> (&[R], i32) {
    let (from, until, number) = bounds(rows.len(), page);
    (rows.get(from..until).unwrap_or_default(), number)
}

/// Start and end of page `page` (from 1), and its number.
#[must_use]
pub fn bounds(rows: usize, page: i32) -> (usize, usize, i32) {
    let number = page.max(1);
    let skipped = usize::try_from(number - 1).unwrap_or(usize::MAX);
    let from = skipped.saturating_mul(PAGE_SIZE).min(rows);
    (from, from.saturating_add(PAGE_SIZE).min(rows), number)
}

/// The number of shares includes splits.
#[must_use]
pub fn instrument_to_wire(instrument: &Instrument, board: &QuoteBoard) -> wire::Instrument {
    let listed = instrument.listed_shares.unwrap_or(0);
    wire::Instrument {
        code: instrument.code.clone(),
        korean_name: instrument.korean_name.clone(),
        english_name: instrument.english_name.clone(),
        market: proto::common::v1::Market::from(instrument.market).into(),
        exchange: instrument.exchange.clone(),
        currency: proto::common::v1::Currency::from(instrument.currency).into(),
        tick_class: instrument.tick_class().as_str().to_owned(),
        leverage: instrument.leverage,
        warning_code: instrument.warning.as_str().to_owned(),
        halted: instrument.halted,
        administrative: instrument.administrative,
        tradable: instrument.tradable,
        isin: instrument.isin.clone().unwrap_or_default(),
        sector_code: instrument.sector_code.clone().unwrap_or_default(),
        sector_name: instrument.sector_name.clone().unwrap_or_default(),
        listed_on: instrument
            .listed_on
            .map(|day| day.format("%Y%m%d").to_string())
            .unwrap_or_default(),
        listed_shares: board.in_todays_shares(&instrument.code, listed),
        market_cap: instrument.market_cap.unwrap_or(0),
        unit: instrument.unit.clone(),
    }
}

/// Korean before Latin.
fn by_name(left: &Row, right: &Row) -> Ordering {
    let key = |row: &Row| {
        let name = row.instrument.korean_name.to_lowercase();
        (name.starts_with(|first: char| first.is_ascii()), name)
    };
    key(left).cmp(&key(right))
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;
    use crate::seed;

    #[test]
    fn a_dollar_price_is_worth_nothing_in_won_while_no_rate_is_known() {
        let universe = seed::MARKET.read().unwrap();
        let mut all = universe.instruments.into_iter();
        let apple = Arc::new(all.find(|instrument| instrument.code == "AAPL").unwrap());
        let mut tick = wire::Tick {
            price_units: 30_935,
            price_scale: 2,
            acc_volume_units: 10,
            ..wire::Tick::default()
        };
        let figures = |tick: &wire::Tick, dollar_won| {
            let row = Row::of(&apple, Some(tick), dollar_won);
            (row.price_won, row.value_won)
        };
        let at_1470 = (dec!(454744.5), dec!(4547445));
        assert_eq!(figures(&tick, Some(dec!(1470))), at_1470);
        assert_eq!(figures(&tick, None), (dec!(0), dec!(0)));
        // The rate of the tick takes precedence.
        tick.fx_rate_e4 = 14_700_000;
        assert_eq!(figures(&tick, None), at_1470);
    }

    #[test]
    fn pages_are_bounded() {
        let rows: Vec<u32> = (0..45).collect();
        assert_eq!(page(&rows, 0), (&rows[..20], 1));
        assert_eq!(page(&rows, 3), (&rows[40..], 3));
        assert!(page(&rows, 4).0.is_empty());
        assert!(page(&rows, i32::MAX).0.is_empty());
        assert_eq!(page(&rows, i32::MIN).1, 1);
    }
}
