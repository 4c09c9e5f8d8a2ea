//! What drives the price of each instrument.

mod cook;

use std::sync::Arc;

use kernel::MarketCode;
use market_rules::Venue;
use rust_decimal::{Decimal, prelude::ToPrimitive};

use crate::catalogue::{Catalogue, Instrument};

use super::events::{Events, Ordered};
use super::factor::Factor;
use super::grid::Grid;
use super::noise::Key;

use cook::Cook;

/// What moves a price besides the instrument itself.
#[derive(Clone, Debug)]
pub enum Recipe {
    /// Factors, each with a weight, and a move of its own.
    Driven {
        /// Weights of the factors' moves.
        exposures: Vec<(Factor, f64)>,
        /// What is left when the factors are taken away.
        own: OwnMove,
    },
    /// A multiple of another price's daily return, less a fee.
    Leveraged {
        /// What it multiplies.
        underlying: Arc<Node>,
        /// By how much; negative for inverse funds.
        leverage: f64,
        /// Share of the value taken per year.
        fee_per_year: f64,
    },
}

/// An instrument's own part of its moves.
#[derive(Clone, Copy, Debug)]
pub enum OwnMove {
    /// Wanders, pulled softly to an anchor.
    Wander {
        /// Standard deviation of a day.
        deviation: f64,
        /// How restless the volatility is.
        restlessness: f64,
        /// Share of the variance that falls into the night.
        overnight_share: f64,
        /// Chance of a jump of three deviations on a day.
        jump_probability: f64,
    },
    /// A premium that keeps returning to zero.
    Premium {
        /// Its usual size.
        deviation: f64,
        /// Days after which half of it is gone.
        half_life_days: f64,
    },
    /// Grows by interest every calendar day.
    Accrual {
        /// Standard deviation of a day.
        deviation: f64,
        /// Interest per year.
        rate_per_year: f64,
    },
}

/// Something with a price path, an instrument or what a fund follows.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its random numbers.
    pub key: Key,
    /// Whose hours it keeps.
    pub venue: Venue,
    /// What drives it.
    pub recipe: Recipe,
    /// The move of a day at most, as a fraction.
    pub limit: Option<f64>,
}

/// An instrument with everything the model needs to trade it.
#[derive(Clone, Debug)]
pub struct InstrumentSpec {
    /// The catalogue's row.
    pub instrument: Arc<Instrument>,
    /// Valid prices.
    pub grid: Grid,
    /// Its price path.
    pub node: Arc<Node>,
    /// Price that the live market begins with, in units.
    pub base_units: i64,
    /// Decimals of a quantity.
    pub volume_scale: u32,
    /// Average volume of a day in units of quantity.
    pub average_volume_units: f64,
    /// Standard deviation of a day's return.
    pub daily_volatility: f64,
    /// Trades in an average second.
    pub trades_per_second: f64,
    /// Ticks between bid and ask.
    pub spread_ticks: u32,
    /// Shares of the volume in the opening and the closing auction.
    pub auction_shares: (f64, f64),
    /// Standard deviation of the logarithm of a displayed size.
    pub size_deviation: f64,
    /// What happens to it beside trading.
    pub events: Events,
}

/// Largest volume of a day in units, so that a month of extreme days still fits 64 bits.
const MOST_DAILY_UNITS: f64 = 1e15;
const LIVELIEST_PER_SECOND: f64 = 4.0;
const DULLEST_PER_SECOND: f64 = 0.03;

/// Every instrument of the catalogue with about `trades_per_second` trades in all.
#[must_use]
pub fn specs(
    seed: &[u8],
    catalogue: &Catalogue,
    ordered: &Arc<Ordered>,
    trades_per_second: f64,
) -> Vec<InstrumentSpec> {
    let cook = Cook::new(seed, catalogue, ordered);
    let mut specs: Vec<InstrumentSpec> = catalogue
        .instruments()
        .iter()
        .map(|instrument| cook.spec(instrument))
        .collect();
    let live = || specs.iter().filter(|spec| !spec.instrument.halted);
    let wanted: f64 = live().map(|spec| spec.trades_per_second).sum();
    let scale = if wanted > 0.0 {
        trades_per_second / wanted
    } else {
        1.0
    };
    for spec in &mut specs {
        spec.trades_per_second = (spec.trades_per_second * scale)
            .clamp(DULLEST_PER_SECOND, LIVELIEST_PER_SECOND.max(scale));
    }
    specs
}

/// Decimals of an instrument's quantities: as many as its usual volume leaves room for.
#[must_use]
pub fn volume_scale(instrument: &Instrument) -> u32 {
    match instrument.market {
        MarketCode::Coin => {
            let volume = average_volume(instrument);
            let fits = |scale: &u32| {
                let units = volume * 10_f64.powi(i32::try_from(*scale).unwrap_or(0));
                units <= MOST_DAILY_UNITS
            };
            (0..=8).rev().find(fits).unwrap_or(0)
        }
        MarketCode::Kospi
        | MarketCode::Kosdaq
        | MarketCode::Etf
        | MarketCode::Global
        | MarketCode::Gold => 0,
    }
}

fn average_volume(instrument: &Instrument) -> f64 {
    let dynamics = &instrument.dynamics;
    let base = real(instrument.base_price.0);
    let by_value = dynamics
        .average_daily_value_won
        .map(|value| real(value) / base);
    let volume = dynamics.average_daily_volume.map(real).or(by_value);
    // World commodities carry no volume in the seed.
    volume.unwrap_or(200_000.0).max(1.0)
}

fn real(value: Decimal) -> f64 {
    value.to_f64().unwrap_or(0.0)
}
