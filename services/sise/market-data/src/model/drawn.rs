//! The trades of a day, minute by minute, and their candles.

use rust_decimal::prelude::ToPrimitive;

use super::day::{InstrumentDay, ModelCandle, Trade};
use super::noise::Key;
use super::pause::{Pause, can_pause, pauses};
use super::session::MINUTE_US;

/// A day with its minutes generated.
#[derive(Clone, Debug)]
pub struct DrawnDay {
    pub day: InstrumentDay,
    // Logarithm of the price at the start of each minute and at the close.
    levels: Vec<f64>,
    pauses: Vec<Pause>,
}

/// Maximum delay of the opening print after the open, and of the closing print before the close.
pub const MAX_PRINT_DELAY_US: i64 = 900_000;
const SECOND_US: i64 = 1_000_000;
const MOST_TRADES_PER_MINUTE: f64 = 600.0;
const TRADE_SIZE_DEVIATION: f64 = 1.2;
/// Displayed size at the best price, as a share of the daily volume.
const DISPLAYED_SHARE: f64 = 0.0006;
const FIRST_PRINT: u64 = 8;
const LAST_PRINT: u64 = 9;
const MINUTES: u64 = 11;

impl DrawnDay {
    pub(super) fn new(day: InstrumentDay, levels: Vec<f64>) -> Self {
        let paused = day.live && !day.halted && can_pause(day.spec.instrument.market);
        let mut drawn = Self {
            day,
            levels,
            pauses: Vec::new(),
        };
        if paused {
            drawn.pauses = pauses(&drawn);
        }
        drawn
    }

    /// Halts and interruptions, oldest first.
    #[must_use]
    pub fn pauses(&self) -> &[Pause] {
        &self.pauses
    }

    /// The trades of a minute, oldest first. The first minute contains the opening print, and the
    /// last one the closing print unless a closing auction makes it.
    pub fn for_each_trade(&self, minute: usize, mut visit: impl FnMut(Trade)) {
        if self.pauses.is_empty() {
            self.for_each_raw_trade(minute, visit);
            return;
        }
        let session = &self.day.path.session;
        let in_minute = |trade: &Trade| session.minute_at(trade.event_time_us) == minute;
        let auctions = self.pauses.iter().filter_map(|pause| pause.auction);
        let mut auctions = auctions.filter(in_minute).peekable();
        self.for_each_raw_trade(minute, |trade| {
            let time_us = trade.event_time_us;
            while let Some(auction) = auctions.next_if(|one| one.event_time_us < time_us) {
                visit(auction);
            }
            if !self.pauses.iter().any(|pause| pause.covers(time_us)) {
                visit(trade);
            }
        });
        auctions.for_each(visit);
    }

    /// The trades of a minute without pauses.
    pub(super) fn for_each_raw_trade(&self, minute: usize, mut visit: impl FnMut(Trade)) {
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

    /// The closing auction's trade; `None` where trading is continuous to the end or nothing is
    /// traded.
    #[must_use]
    pub fn auction_trade(&self) -> Option<Trade> {
        let traded = self.closes_by_auction() && !self.day.halted;
        traded.then(|| self.closing_trade())
    }

    fn closes_by_auction(&self) -> bool {
        let session = &self.day.path.session;
        session.end_us < session.close_us
    }

    /// `None` when nothing was traded.
    #[must_use]
    pub fn minute_candle(&self, minute: usize) -> Option<ModelCandle> {
        let start_us = self.day.path.session.minute_start_us(minute);
        let mut candle = None;
        self.for_each_trade(minute, |trade| add(&mut candle, start_us, &trade));
        candle
    }

    /// The candle of the closing auction, where there is one.
    #[must_use]
    pub fn auction_candle(&self) -> Option<ModelCandle> {
        let trade = self.auction_trade()?;
        let mut candle = None;
        let start_us = trade.event_time_us - trade.event_time_us.rem_euclid(MINUTE_US);
        add(&mut candle, start_us, &trade);
        candle
    }

    /// Displayed sizes at the best bid and ask after a trade; 0 for an empty side.
    #[must_use]
    pub fn displayed_sizes(&self, trade: &Trade) -> (i64, i64) {
        let spec = &self.day.spec;
        let shares = self.day.shares.to_f64().unwrap_or(1.0);
        let key = self.day.path.key.child(trade.event_time_us.unsigned_abs());
        let size = |number: u64, price_units: i64| {
            if price_units == 0 {
                return 0;
            }
            let noise = (spec.size_deviation * key.normal(number)).exp();
            ((spec.average_volume_units * shares * DISPLAYED_SHARE * noise) as i64).max(1)
        };
        (size(0, trade.bid_units), size(1, trade.ask_units))
    }

    /// Logarithm of the price at the start of a minute; after the last one, at the close.
    pub(super) fn level_at(&self, minute: usize) -> f64 {
        let level = self.levels.get(minute).or(self.levels.last());
        level.copied().unwrap_or(self.day.path.before)
    }

    pub(super) fn opening_trade(&self) -> Trade {
        let day = &self.day;
        let level = self.levels.first().copied().unwrap_or(day.path.before);
        let late = day.path.key.uniform(FIRST_PRINT) * MAX_PRINT_DELAY_US as f64;
        let event_time_us = day.path.session.open_us + late as i64;
        self.single_price(event_time_us, day.print(level), day.opening_volume())
    }

    fn closing_trade(&self) -> Trade {
        let day = &self.day;
        let early = day.path.key.uniform(LAST_PRINT) * MAX_PRINT_DELAY_US as f64;
        let event_time_us = day.path.session.close_us - 1 - early as i64;
        self.single_price(event_time_us, day.close_units, day.closing_volume())
    }

    pub(super) fn single_price(
        &self,
        event_time_us: i64,
        price_units: i64,
        volume_units: i64,
    ) -> Trade {
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

    /// Volume of continuous trading before a minute.
    fn volume_before(&self, minute: usize) -> i64 {
        let day = &self.day;
        let continuous = day.volume_units - day.opening_volume() - day.closing_volume();
        (continuous.max(0) as f64 * day.path.profile.cumulative(minute)) as i64
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
            // Each trade has its own slice of the minute, so times increase.
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

    /// The span of continuous trading in a minute: without the first and the last second of the
    /// day.
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

    /// Last price, bid and ask at a level: a rise trades at the ask, a fall at the bid.
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
