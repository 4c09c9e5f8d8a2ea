//! One trading day of one instrument: base price, limits, volume and candle.

use std::sync::Arc;

use kernel::Price;
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::bridge::{block_minutes, highest, lowest};
use super::drawn::DrawnDay;
use super::events::Ratio;
use super::factors::Factors;
use super::session::SimulatedSession;
use super::spec::InstrumentSpec;
use super::track::{PathDay, Track};

/// A trade; prices and volumes are in units of the instrument's scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trade {
    /// Strictly increasing within an instrument.
    pub event_time_us: i64,
    pub price_units: i64,
    pub volume_units: i64,
    /// Best bid after it; 0 = none (at the lower limit).
    pub bid_units: i64,
    /// Best ask after it; 0 = none (at the upper limit).
    pub ask_units: i64,
}

/// A candle in units of the instrument's scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelCandle {
    pub start_us: i64,
    pub open_units: i64,
    pub high_units: i64,
    pub low_units: i64,
    pub close_units: i64,
    pub volume_units: i64,
}

/// The state of an instrument between two days.
#[derive(Clone, Debug)]
pub struct InstrumentTrack {
    spec: Arc<InstrumentSpec>,
    path: Track,
    base_units: i64,
    volume_state: f64,
    // Today's shares per share in the seed.
    shares: Decimal,
    live: bool,
}

#[derive(Clone, Debug)]
pub struct InstrumentDay {
    pub spec: Arc<InstrumentSpec>,
    pub path: PathDay,
    /// The base price: the previous close, adjusted for splits and dividends.
    pub base_units: i64,
    /// Lower limit; 0 = none.
    pub lower_units: i64,
    /// Upper limit; 0 = none.
    pub upper_units: i64,
    pub close_units: i64,
    pub volume_units: i64,
    /// Trading is halted all day.
    pub halted: bool,
    /// False for a day of history.
    pub live: bool,
    /// The split before the open.
    pub split: Option<Ratio>,
    /// Shares per share in the seed.
    pub shares: Decimal,
}

const VOLUME_MEMORY: f64 = 0.53;
const VOLUME_NOISE: f64 = 0.29;
/// Mean of |r|/σ at which the volume is average.
const MEAN_MOVE: f64 = 0.75;
/// A dividend leaves at least this share of the price.
const MIN_PRICE_SHARE: f64 = 0.75;
const VOLUME: u64 = 7;
const EXTREMES: u64 = 10;

impl InstrumentTrack {
    /// Starts at `level`, the logarithm of a price.
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

    /// Starts the live period: the current level becomes the anchor of the path, the next base
    /// price is the seed's, and halted instruments stop trading.
    pub fn go_live(&mut self) {
        self.live = true;
        self.path.anchor_here();
        self.base_units = self.spec.base_units;
    }

    #[must_use]
    pub fn spec(&self) -> &Arc<InstrumentSpec> {
        &self.spec
    }

    /// Advances by one trading day.
    pub fn advance(&mut self, session: &SimulatedSession, factors: &Factors) -> InstrumentDay {
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

    /// Today's shares per share in the seed.
    #[must_use]
    pub fn shares(&self) -> Decimal {
        self.shares
    }

    /// Applies the corporate actions between two days: a split, and the price drop on an ex-day.
    fn before_open(&mut self, session: &SimulatedSession, factors: &Factors) -> Option<Ratio> {
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
            let kept = (1.0 - share.to_f64().unwrap_or(0.0)).max(MIN_PRICE_SHARE);
            self.path.shift(kept.ln());
        }
        split
    }

    fn volume(&mut self, path: &PathDay) -> i64 {
        let spec = &self.spec;
        self.volume_state =
            VOLUME_MEMORY * self.volume_state + VOLUME_NOISE * path.key.normal(VOLUME);
        let moved = (path.after - path.before).abs() / spec.daily_volatility.max(1e-6);
        let excess = 0.30 * (moved.min(6.0) - MEAN_MOVE) + self.volume_state;
        // At least two units: the first and the last trade.
        let shares = self.shares.to_f64().unwrap_or(1.0);
        ((spec.average_volume_units * shares * excess.exp()) as i64).max(2)
    }
}

impl InstrumentDay {
    /// The daily candle from the coarse path. High and low are sampled from the bridges between its
    /// points; open, close and volume equal those of the minutes.
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
            let share = self.path.profile.cumulative(*last) - self.path.profile.cumulative(*first);
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

    #[must_use]
    pub fn draw(self, factors: &Factors) -> DrawnDay {
        let levels = self.path.minutes(factors);
        DrawnDay::new(self, levels)
    }

    /// The auction price at a level.
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

/// Lower and upper limit in units; zeros where there is none.
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
