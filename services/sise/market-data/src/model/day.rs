//! One trading day of one instrument: its base price and limits, its volume and its candle.

use std::sync::Arc;

use kernel::Price;
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::bridge::{block_minutes, highest, lowest};
use super::drawn::DrawnDay;
use super::events::Ratio;
use super::factors::Factors;
use super::recipe::InstrumentSpec;
use super::session::Session;
use super::track::{PathDay, Track};

/// A trade as the model makes it; prices and volumes are units of the instrument's scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trade {
    /// When, rising strictly within an instrument.
    pub event_time_us: i64,
    /// At what price.
    pub price_units: i64,
    /// How much.
    pub volume_units: i64,
    /// Best bid after it; 0 = none (at the lower limit).
    pub bid_units: i64,
    /// Best ask after it; 0 = none (at the upper limit).
    pub ask_units: i64,
}

/// Open, high, low, close and volume in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelCandle {
    /// Beginning of the candle.
    pub start_us: i64,
    /// First price.
    pub open_units: i64,
    /// Highest price.
    pub high_units: i64,
    /// Lowest price.
    pub low_units: i64,
    /// Last price.
    pub close_units: i64,
    /// Quantity traded.
    pub volume_units: i64,
}

/// An instrument between two days.
#[derive(Clone, Debug)]
pub struct InstrumentTrack {
    spec: Arc<InstrumentSpec>,
    path: Track,
    base_units: i64,
    volume_state: f64,
    // Shares today for each of the seed's.
    shares: Decimal,
    live: bool,
}

/// An instrument's day.
#[derive(Clone, Debug)]
pub struct InstrumentDay {
    /// The instrument.
    pub spec: Arc<InstrumentSpec>,
    /// Its price path.
    pub path: PathDay,
    /// The close of the day before: the day's base price.
    pub base_units: i64,
    /// Lowest price of the day; 0 = free.
    pub lower_units: i64,
    /// Highest price of the day; 0 = free.
    pub upper_units: i64,
    /// Price of the last trade of the day.
    pub close_units: i64,
    /// Quantity traded over the day.
    pub volume_units: i64,
    /// Nothing is traded.
    pub halted: bool,
    /// Whether it belongs to the live market.
    pub live: bool,
    /// How its shares were divided before it began.
    pub split: Option<Ratio>,
    /// Shares on it for each of the seed's.
    pub shares: Decimal,
}

const VOLUME_MEMORY: f64 = 0.53;
const VOLUME_NOISE: f64 = 0.29;
/// Mean of |r|/σ that leaves the volume at its average.
const USUAL_MOVE: f64 = 0.75;
/// No dividend takes more of a price than leaves this share.
const LEAST_KEPT: f64 = 0.75;
const VOLUME: u64 = 7;
const EXTREMES: u64 = 10;

impl InstrumentTrack {
    /// Begins at `level`, the logarithm of a price.
    #[must_use]
    pub fn new(spec: &Arc<InstrumentSpec>, level: f64) -> Self {
        Self {
            spec: Arc::clone(spec),
            path: Track::new(&spec.node, level),
            base_units: spec.grid.nearest(spec.grid.units(level)),
            volume_state: 0.0,
            shares: Decimal::ONE,
            live: false,
        }
    }

    /// Goes live: from here on the path is drawn to where it stands now, the next day's base
    /// price is the seed's, and instruments under a halt stand still.
    pub fn go_live(&mut self) {
        self.live = true;
        self.path.anchor_here();
        self.base_units = self.spec.base_units;
    }

    /// The instrument.
    #[must_use]
    pub fn spec(&self) -> &Arc<InstrumentSpec> {
        &self.spec
    }

    /// Moves on by one trading day.
    pub fn advance(&mut self, session: &Session, factors: &Factors) -> InstrumentDay {
        let spec = Arc::clone(&self.spec);
        let halted = self.live && spec.instrument.halted;
        let split = self.before_open(session, factors).filter(|_| !halted);
        let path = self.path.advance(session, factors);
        let base_units = self.base_units;
        let (lower_units, upper_units) = limits(&spec, base_units);
        let mut day = InstrumentDay {
            volume_units: if halted { 0 } else { self.volume(&path) },
            halted,
            live: self.live,
            split,
            shares: self.shares,
            spec,
            base_units,
            lower_units,
            upper_units,
            close_units: base_units,
            path,
        };
        if !halted {
            day.close_units = day.print(day.path.after);
        }
        self.base_units = day.close_units;
        day
    }

    /// Shares today for each of the seed's.
    #[must_use]
    pub fn shares(&self) -> Decimal {
        self.shares
    }

    /// What happened to the shares since the last day: they may have been divided, and a claim to
    /// a dividend may have ended, which their price is lower by.
    fn before_open(&mut self, session: &Session, factors: &Factors) -> Option<Ratio> {
        if !self.live || self.spec.instrument.halted {
            return None;
        }
        let spec = Arc::clone(&self.spec);
        let scale = spec.grid.scale();
        let price = |units| Decimal::from_i128_with_scale(i128::from(units), scale);
        let split = spec
            .events
            .split(session.day, price(self.base_units), factors);
        if let Some((new, old)) = split {
            let growth = new as f64 / old as f64;
            self.shares *= Decimal::from(new) / Decimal::from(old);
            self.base_units = spec.grid.nearest(self.base_units as f64 / growth);
            self.path.shift(-growth.ln());
        }
        let dividend = spec.events.dividend(session.day, self.shares, factors);
        if let Some(dividend) = dividend {
            let share = dividend.amount / price(self.base_units);
            let kept = (1.0 - share.to_f64().unwrap_or(0.0)).max(LEAST_KEPT);
            self.path.shift(kept.ln());
        }
        split
    }

    fn volume(&mut self, path: &PathDay) -> i64 {
        let spec = &self.spec;
        self.volume_state =
            VOLUME_MEMORY * self.volume_state + VOLUME_NOISE * path.key.normal(VOLUME);
        let moved = (path.after - path.before).abs() / spec.daily_volatility.max(1e-6);
        let excess = 0.30 * (moved.min(6.0) - USUAL_MOVE) + self.volume_state;
        // Two units are the first and the last trade.
        let shares = self.shares.to_f64().unwrap_or(1.0);
        ((spec.average_volume_units * shares * excess.exp()) as i64).max(2)
    }
}

impl InstrumentDay {
    /// The day's candle from a coarse path; its open, close and volume are those of the minutes,
    /// its high and low are drawn for a path between the coarse points.
    #[must_use]
    pub fn candle(&self, factors: &Factors) -> ModelCandle {
        let blocks = self.path.blocks(factors);
        let session = &self.path.session;
        let starts: Vec<usize> = block_minutes(session.minutes()).collect();
        let key = self.path.key.child(EXTREMES);
        let (mut high, mut low) = (f64::MIN, f64::MAX);
        let spans = blocks.windows(2).zip(starts.windows(2));
        for (number, (levels, minutes)) in (0_u64..).step_by(2).zip(spans) {
            let ([from, to], [first, last]) = (levels, minutes) else {
                continue;
            };
            let share = self.path.profile.passed(*last) - self.path.profile.passed(*first);
            let variance = self.path.deviation.powi(2) * share;
            high = high.max(highest(*from, *to, variance, key.uniform(number)));
            low = low.min(lowest(*from, *to, variance, key.uniform(number + 1)));
        }
        let open = self.print(blocks.first().copied().unwrap_or(self.path.before));
        let halted = self.halted;
        let open = if halted { self.base_units } else { open };
        let close = self.close_units;
        let reach = |level: f64| if halted { close } else { self.print(level) };
        ModelCandle {
            start_us: session.open_us,
            open_units: open,
            high_units: reach(high).max(open).max(close),
            low_units: reach(low).min(open).min(close),
            close_units: close,
            volume_units: self.volume_units,
        }
    }

    /// Draws the minutes.
    #[must_use]
    pub fn draw(self, factors: &Factors) -> DrawnDay {
        let levels = self.path.minutes(factors);
        DrawnDay::new(self, levels)
    }

    /// The single price of an auction at a level.
    pub(super) fn print(&self, level: f64) -> i64 {
        self.allowed(self.spec.grid.nearest(self.spec.grid.units(level)))
    }

    pub(super) fn allowed(&self, units: i64) -> i64 {
        if self.upper_units == 0 {
            units
        } else {
            units.clamp(self.lower_units, self.upper_units)
        }
    }

    pub(super) fn opening_volume(&self) -> i64 {
        self.auction_volume(self.spec.auction_shares.0)
    }

    pub(super) fn closing_volume(&self) -> i64 {
        self.auction_volume(self.spec.auction_shares.1)
    }

    fn auction_volume(&self, share: f64) -> i64 {
        let share = if self.path.session.overnight {
            share
        } else {
            0.0003
        };
        ((self.volume_units as f64 * share) as i64).clamp(1, (self.volume_units / 2).max(1))
    }
}

/// The day's limits in units; zeros where prices are free.
fn limits(spec: &InstrumentSpec, base_units: i64) -> (i64, i64) {
    let scale = spec.grid.scale();
    let base = Price(Decimal::from_i128_with_scale(i128::from(base_units), scale));
    let units = |price: Price| {
        let power = Decimal::from(10_i64.pow(scale.min(18)));
        (price.0 * power).to_i64().unwrap_or(0)
    };
    match spec.instrument.daily_limits(base) {
        Some(band) => (units(band.lower), units(band.upper)),
        None => (0, 0),
    }
}
