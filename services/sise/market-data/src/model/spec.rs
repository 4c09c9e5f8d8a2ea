//! The parameters of each instrument.

mod builder;

use std::sync::Arc;

use kernel::MarketCode;
use market_rules::Venue;
use rust_decimal::{Decimal, prelude::ToPrimitive};

use crate::catalogue::{Catalogue, Instrument};

use super::events::{ConfiguredEvents, Events};
use super::factor::Factor;
use super::grid::Grid;
use super::noise::Key;

use builder::SpecBuilder;

/// What drives a price.
#[derive(Clone, Debug)]
pub enum PriceDriver {
    /// A factor model: weighted factors and a residual.
    FactorModel {
        exposures: Vec<(Factor, f64)>,
        /// The part that the factors do not explain.
        residual: Residual,
    },
    /// A multiple of the daily return of an underlying, less a fee.
    Leveraged {
        underlying: Arc<Node>,
        /// Negative for inverse funds.
        leverage: f64,
        /// Fee as a share of the value per year.
        fee_per_year: f64,
    },
}

/// The residual of a factor model.
#[derive(Clone, Copy, Debug)]
pub enum Residual {
    /// Mean reverting around an anchor, with jumps.
    MeanReverting {
        /// Standard deviation of a daily return.
        deviation: f64,
        vol_of_vol: f64,
        /// Share of the daily variance between close and open.
        overnight_share: f64,
        /// Probability of a jump of three deviations per day.
        jump_probability: f64,
    },
    /// A premium that reverts to zero.
    Premium {
        /// Standard deviation of the premium.
        deviation: f64,
        /// Half-life of the premium.
        half_life_days: f64,
    },
    /// Accrues interest every calendar day.
    Accrual {
        /// Standard deviation of a daily return.
        deviation: f64,
        rate_per_year: f64,
    },
}

/// A price process: an instrument, or the index that a fund follows.
#[derive(Clone, Debug)]
pub struct Node {
    pub key: Key,
    /// The venue whose hours apply.
    pub venue: Venue,
    pub driver: PriceDriver,
    /// Maximum daily move, as a fraction.
    pub limit: Option<f64>,
}

/// An instrument with its model parameters.
#[derive(Clone, Debug)]
pub struct InstrumentSpec {
    pub instrument: Arc<Instrument>,
    pub grid: Grid,
    pub node: Arc<Node>,
    /// Price at the start of the live period, in units.
    pub base_units: i64,
    pub volume_scale: u32,
    /// Average daily volume in units of quantity.
    pub average_volume_units: f64,
    /// Standard deviation of a daily return.
    pub daily_volatility: f64,
    pub trades_per_second: f64,
    pub spread_ticks: u32,
    /// Shares of the daily volume in the opening and the closing auction.
    pub auction_shares: (f64, f64),
    /// Standard deviation of the logarithm of a displayed size.
    pub size_deviation: f64,
    pub events: Events,
}

/// Bound of the daily volume in units, so that a month of extreme days fits 64 bits.
const MAX_DAILY_UNITS: f64 = 1e15;
const MAX_TRADES_PER_SECOND: f64 = 4.0;
const MIN_TRADES_PER_SECOND: f64 = 0.03;

/// The specs of all instruments, with about `trades_per_second` trades in total.
#[must_use]
pub fn specs(
    seed: &[u8],
    catalogue: &Catalogue,
    configured: &Arc<ConfiguredEvents>,
    trades_per_second: f64,
) -> Vec<InstrumentSpec> {
    let builder = SpecBuilder::new(seed, catalogue, configured);
    let mut specs: Vec<InstrumentSpec> = catalogue
        .instruments()
        .iter()
        .map(|instrument| builder.spec(instrument))
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
            .clamp(MIN_TRADES_PER_SECOND, MAX_TRADES_PER_SECOND.max(scale));
    }
    specs
}

/// Decimals of a quantity: as many as the average volume leaves room for.
#[must_use]
pub fn volume_scale(instrument: &Instrument) -> u32 {
    match instrument.market {
        MarketCode::Coin => {
            let volume = average_volume(instrument);
            let fits = |scale: &u32| {
                let units = volume * 10_f64.powi(i32::try_from(*scale).unwrap_or(0));
                units <= MAX_DAILY_UNITS
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
    let base = to_f64(instrument.base_price.0);
    let by_value = dynamics
        .average_daily_value_won
        .map(|value| to_f64(value) / base);
    let volume = dynamics.average_daily_volume.map(to_f64).or(by_value);
    // The seed has no volume for world commodities.
    volume.unwrap_or(200_000.0).max(1.0)
}

fn to_f64(value: Decimal) -> f64 {
    value.to_f64().unwrap_or(0.0)
}
