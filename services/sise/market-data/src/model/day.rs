//! One trading day of one instrument: its base price and limits, its trades minute by minute,
//! and the candles they make.

use std::sync::Arc;

use kernel::Price;
use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::bridge::{block_minutes, highest, lowest};
use super::factor::Factors;
use super::noise::Key;
use super::recipe::InstrumentSpec;
use super::session::{MINUTE_US, Session};
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
}

/// An instrument's day with its minutes drawn.
#[derive(Clone, Debug)]
pub struct DrawnDay {
    /// The day.
    pub day: InstrumentDay,
    // Logarithm of the price at the beginning of each minute and at the close.
    levels: Vec<f64>,
}

/// How long after the open the first trade comes, and how long before the close the last one.
const PRINT_WITHIN_US: f64 = 900_000.0;
const SECOND_US: i64 = 1_000_000;
const VOLUME_MEMORY: f64 = 0.53;
const VOLUME_NOISE: f64 = 0.29;
const MOST_TRADES_PER_MINUTE: f64 = 600.0;
/// Mean of |r|/σ that leaves the volume at its average.
const USUAL_MOVE: f64 = 0.75;
const TRADE_SIZE_DEVIATION: f64 = 1.2;
/// Displayed size at the best price as a share of a day's volume.
const DISPLAYED_SHARE: f64 = 0.0006;

const VOLUME: u64 = 7;
const FIRST_PRINT: u64 = 8;
const LAST_PRINT: u64 = 9;
const EXTREMES: u64 = 10;
const MINUTES: u64 = 11;

impl InstrumentTrack {
    /// Begins at `level`, the logarithm of a price.
    #[must_use]
    pub fn new(spec: &Arc<InstrumentSpec>, level: f64) -> Self {
        Self {
            spec: Arc::clone(spec),
            path: Track::new(&spec.node, level),
            base_units: spec.grid.nearest(spec.grid.units(level)),
            volume_state: 0.0,
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
        let path = self.path.advance(session, factors);
        let base_units = self.base_units;
        let (lower_units, upper_units) = limits(&spec, base_units);
        let halted = self.live && spec.instrument.halted;
        let mut day = InstrumentDay {
            volume_units: if halted { 0 } else { self.volume(&path) },
            halted,
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

    fn volume(&mut self, path: &PathDay) -> i64 {
        let spec = &self.spec;
        self.volume_state =
            VOLUME_MEMORY * self.volume_state + VOLUME_NOISE * path.key.normal(VOLUME);
        let moved = (path.after - path.before).abs() / spec.daily_volatility.max(1e-6);
        let excess = 0.30 * (moved.min(6.0) - USUAL_MOVE) + self.volume_state;
        // Two units are the first and the last trade.
        ((spec.average_volume_units * excess.exp()) as i64).max(2)
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
        DrawnDay { day: self, levels }
    }

    /// The single price of an auction at a level.
    fn print(&self, level: f64) -> i64 {
        self.allowed(self.spec.grid.nearest(self.spec.grid.units(level)))
    }

    fn allowed(&self, units: i64) -> i64 {
        if self.upper_units == 0 {
            units
        } else {
            units.clamp(self.lower_units, self.upper_units)
        }
    }

    fn opening_volume(&self) -> i64 {
        self.auction_volume(self.spec.auction_shares.0)
    }

    fn closing_volume(&self) -> i64 {
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

impl DrawnDay {
    /// The trades of minute `minute`, oldest first. The opening price belongs to the first minute
    /// and the last price to the last one, unless an auction makes it.
    pub fn for_each_trade(&self, minute: usize, mut visit: impl FnMut(Trade)) {
        let day = &self.day;
        if day.halted {
            return;
        }
        let last_minute = day.path.session.minutes().saturating_sub(1);
        if minute == 0 {
            visit(self.opening_trade());
        }
        if minute <= last_minute {
            self.continuous_trades(minute, &mut visit);
        }
        if minute == last_minute && !self.closes_by_auction() {
            visit(self.closing_trade());
        }
    }

    /// The official close after a closing auction; `None` where trading is continuous to the end
    /// or nothing is traded.
    #[must_use]
    pub fn auction_trade(&self) -> Option<Trade> {
        let traded = self.closes_by_auction() && !self.day.halted;
        traded.then(|| self.closing_trade())
    }

    fn closes_by_auction(&self) -> bool {
        let session = &self.day.path.session;
        session.end_us < session.close_us
    }

    /// The candle of minute `minute`, `None` when nothing was traded.
    #[must_use]
    pub fn minute_candle(&self, minute: usize) -> Option<ModelCandle> {
        let start_us = self.day.path.session.minute_start_us(minute);
        let mut candle = None;
        self.for_each_trade(minute, |trade| add(&mut candle, start_us, &trade));
        candle
    }

    /// The candle of the closing auction's minute, where there is one.
    #[must_use]
    pub fn auction_candle(&self) -> Option<ModelCandle> {
        let trade = self.auction_trade()?;
        let mut candle = None;
        let start_us = trade.event_time_us - trade.event_time_us.rem_euclid(MINUTE_US);
        add(&mut candle, start_us, &trade);
        candle
    }

    /// Displayed sizes at the best bid and ask after a trade; 0 where a side is empty.
    #[must_use]
    pub fn displayed_sizes(&self, trade: &Trade) -> (i64, i64) {
        let spec = &self.day.spec;
        let key = self.day.path.key.child(trade.event_time_us.unsigned_abs());
        let size = |number: u64, price_units: i64| {
            if price_units == 0 {
                return 0;
            }
            let noise = (spec.size_deviation * key.normal(number)).exp();
            ((spec.average_volume_units * DISPLAYED_SHARE * noise) as i64).max(1)
        };
        (size(0, trade.bid_units), size(1, trade.ask_units))
    }

    fn opening_trade(&self) -> Trade {
        let day = &self.day;
        let level = self.levels.first().copied().unwrap_or(day.path.before);
        let late = day.path.key.uniform(FIRST_PRINT) * PRINT_WITHIN_US;
        let event_time_us = day.path.session.open_us + late as i64;
        self.single_price(event_time_us, day.print(level), day.opening_volume())
    }

    fn closing_trade(&self) -> Trade {
        let day = &self.day;
        let early = day.path.key.uniform(LAST_PRINT) * PRINT_WITHIN_US;
        let event_time_us = day.path.session.close_us - 1 - early as i64;
        self.single_price(event_time_us, day.close_units, day.closing_volume())
    }

    fn single_price(&self, event_time_us: i64, price_units: i64, volume_units: i64) -> Trade {
        let day = &self.day;
        let bid = day.allowed(price_units);
        let ask = day.spec.grid.step_up(bid, day.spec.spread_ticks);
        Trade {
            event_time_us,
            price_units,
            volume_units,
            bid_units: bid,
            ask_units: if day.upper_units != 0 && ask > day.upper_units {
                0
            } else {
                ask
            },
        }
    }

    /// Volume of continuous trading until minute `minute` begins.
    fn volume_before(&self, minute: usize) -> i64 {
        let day = &self.day;
        let continuous = day.volume_units - day.opening_volume() - day.closing_volume();
        (continuous.max(0) as f64 * day.path.profile.passed(minute)) as i64
    }

    fn continuous_trades(&self, minute: usize, visit: &mut impl FnMut(Trade)) {
        let day = &self.day;
        let volume = self.volume_before(minute + 1) - self.volume_before(minute);
        let key = day.path.key.child(MINUTES).child(minute as u64);
        let count = self.trade_count(minute, volume, key);
        if count == 0 {
            return;
        }
        let (from_us, until_us) = self.window(minute);
        let span = (until_us - from_us) as f64;
        let level_at = |minute: usize| self.levels.get(minute).or(self.levels.last()).copied();
        let mut level = level_at(minute).unwrap_or(day.path.before);
        let end = level_at(minute + 1).unwrap_or(level);
        let variance = day.path.deviation.powi(2) * day.path.profile.share(minute);
        let weights: Vec<f64> = (0..count)
            .map(|trade| (TRADE_SIZE_DEVIATION * key.normal(4 * trade + 1)).exp())
            .collect();
        let weight_sum: f64 = weights.iter().sum();
        let spare = (volume - count as i64) as f64;
        let (mut passed, mut dealt, mut weight) = (0.0, 0_i64, 0.0);
        for (trade, own_weight) in (0..count).zip(&weights) {
            // Each trade has a slice of the minute to itself, so times rise.
            let at = (trade as f64 + key.uniform(4 * trade)) / count as f64;
            let (left, taken) = (1.0 - passed, at - passed);
            let noise = (variance * taken * (1.0 - at) / left).sqrt() * key.normal(4 * trade + 2);
            let next = level + (end - level) * taken / left + noise;
            weight += own_weight;
            let dealt_until = (spare * weight / weight_sum) as i64;
            let last = trade + 1 == count;
            let extra = if last { spare as i64 } else { dealt_until } - dealt;
            dealt += extra;
            let (price_units, bid_units, ask_units) = self.book(next, next >= level);
            visit(Trade {
                event_time_us: from_us + (at * span) as i64,
                price_units,
                volume_units: 1 + extra,
                bid_units,
                ask_units,
            });
            (level, passed) = (next, at);
        }
    }

    fn trade_count(&self, minute: usize, volume: i64, key: Key) -> u64 {
        if volume <= 0 {
            return 0;
        }
        let day = &self.day;
        let minutes = day.path.profile.minutes() as f64;
        let busy = day.path.profile.share(minute) * minutes;
        let expected = day.spec.trades_per_second * 60.0 * busy * (0.5 + key.uniform(u64::MAX));
        let count = (expected + key.uniform(u64::MAX - 1)).min(MOST_TRADES_PER_MINUTE);
        (count as u64).clamp(1, volume.unsigned_abs())
    }

    /// The part of a minute in which continuous trading happens: not the first second of the day
    /// and not the last.
    fn window(&self, minute: usize) -> (i64, i64) {
        let session = &self.day.path.session;
        let start_us = session.minute_start_us(minute);
        let from_us = if minute == 0 {
            start_us + SECOND_US
        } else {
            start_us
        };
        let end_us = (start_us + MINUTE_US).min(session.end_us);
        let last = minute + 1 == session.minutes() && session.end_us == session.close_us;
        (from_us, if last { end_us - SECOND_US } else { end_us })
    }

    /// Last price, bid and ask at a level: a rise is bought at the ask, a fall sold at the bid.
    fn book(&self, level: f64, rising: bool) -> (i64, i64, i64) {
        let day = &self.day;
        let grid = &day.spec.grid;
        let below_middle = day.spec.spread_ticks.saturating_sub(1) / 2;
        let floor = grid.floor(grid.units(level));
        let bid = day.allowed(grid.step_down(floor, below_middle));
        let ask = day.allowed(grid.step_up(bid, day.spec.spread_ticks));
        let price = if rising { ask } else { bid };
        if day.upper_units != 0 && bid >= day.upper_units {
            return (day.upper_units, day.upper_units, 0);
        }
        if day.lower_units != 0 && ask <= day.lower_units {
            return (day.lower_units, 0, day.lower_units);
        }
        (price, bid, ask)
    }
}

fn add(candle: &mut Option<ModelCandle>, start_us: i64, trade: &Trade) {
    let candle = candle.get_or_insert(ModelCandle {
        start_us,
        open_units: trade.price_units,
        high_units: trade.price_units,
        low_units: trade.price_units,
        close_units: trade.price_units,
        volume_units: 0,
    });
    candle.high_units = candle.high_units.max(trade.price_units);
    candle.low_units = candle.low_units.min(trade.price_units);
    candle.close_units = trade.price_units;
    candle.volume_units += trade.volume_units;
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
