//! Pauses of continuous trading: news halts and volatility interruptions. An interruption ends with
//! a call auction.

use kernel::{MarketCode, Price};
use market_rules::volatility::{AUCTION_S, Interruption, LATE_END_S, Thresholds, thresholds};
use rust_decimal::Decimal;

use super::day::Trade;
use super::drawn::DrawnDay;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseKind {
    /// No orders and no trades.
    Halt,
    Interruption(Interruption),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    pub kind: PauseKind,
    pub from_us: i64,
    /// Last instant: that of the auction's trade.
    pub until_us: i64,
    pub auction: Option<Trade>,
}

const SECOND_US: i64 = 1_000_000;
/// No interruption starts later than this before the end of continuous trading.
const INTERRUPTION_CUTOFF_S: i64 = AUCTION_S + LATE_END_S + 30;
/// Bound of the price within a minute, in standard deviations from its ends.
const MAX_INTRAMINUTE_DEVIATIONS: f64 = 5.0;
const LATE_END: u64 = 12;

impl Pause {
    #[must_use]
    pub fn covers(&self, time_us: i64) -> bool {
        self.from_us <= time_us && time_us <= self.until_us
    }
}

/// The pauses of a day, oldest first, without overlaps.
pub(super) fn pauses(drawn: &DrawnDay) -> Vec<Pause> {
    let day = &drawn.day;
    let session = &day.path.session;
    let mut pauses = Vec::new();
    if let Some((from_us, until_us)) = day.spec.events.halt(session) {
        pauses.push(Pause {
            kind: PauseKind::Halt,
            from_us,
            until_us,
            auction: None,
        });
    }
    let instrument = &day.spec.instrument;
    let Some(thresholds) = thresholds(instrument.market, instrument.leverage) else {
        return pauses;
    };
    let mut monitor = VolatilityMonitor {
        drawn,
        thresholds,
        reference: drawn.opening_trade().price_units,
        last: None,
        pauses,
    };
    if let Some(from_us) = day.spec.events.interruption(session) {
        monitor.interrupt(Interruption::Static, from_us);
    }
    for minute in 0..session.minutes() {
        monitor.minute(minute);
    }
    let mut pauses = monitor.pauses;
    pauses.sort_by_key(|pause| pause.from_us);
    pauses
}

/// Checks the trades of a day against the volatility thresholds.
struct VolatilityMonitor<'a> {
    drawn: &'a DrawnDay,
    thresholds: Thresholds,
    // Price of the last auction.
    reference: i64,
    last: Option<i64>,
    pauses: Vec<Pause>,
}

impl VolatilityMonitor<'_> {
    fn minute(&mut self, minute: usize) {
        if self.is_calm(minute) {
            self.last = None;
            return;
        }
        let mut trades = Vec::new();
        self.drawn
            .for_each_raw_trade(minute, |trade| trades.push(trade));
        for trade in trades {
            if let Some(pause) = self
                .pauses
                .iter()
                .find(|one| one.covers(trade.event_time_us))
            {
                // After a pause the next price is compared with the auction price.
                self.last = pause.auction.map(|auction| auction.price_units);
                continue;
            }
            let level = self.drawn.level_at(minute);
            let last = self.last.unwrap_or_else(|| self.drawn.day.print(level));
            let judged = self.thresholds.judge(
                self.price(trade.price_units),
                self.price(last),
                self.price(self.reference),
                &self.drawn.day.spec.instrument.tick_table,
            );
            match judged {
                Some(interruption) if self.interrupt(interruption, trade.event_time_us) => {}
                Some(_) | None => self.last = Some(trade.price_units),
            }
        }
    }

    /// Whether the ends of a minute rule out that any price in it reaches a threshold.
    fn is_calm(&self, minute: usize) -> bool {
        let day = &self.drawn.day;
        let (from, to) = (self.drawn.level_at(minute), self.drawn.level_at(minute + 1));
        let excursion =
            MAX_INTRAMINUTE_DEVIATIONS * day.path.deviation * day.path.profile.share(minute).sqrt();
        let reference = day.spec.grid.logarithm(self.reference);
        let tolerance = |percent: u32| f64::from(percent) / 100.0 * 0.9 - excursion;
        let reach = (from - reference).abs().max((to - reference).abs());
        (to - from).abs() < tolerance(self.thresholds.moving_percent)
            && reach < tolerance(self.thresholds.fixed_percent)
    }

    /// Interrupts from a trade on; `false` when it is too late in the day or too close to another
    /// pause.
    fn interrupt(&mut self, interruption: Interruption, from_us: i64) -> bool {
        let drawn = self.drawn;
        let session = &drawn.day.path.session;
        let late = drawn
            .day
            .path
            .key
            .child(LATE_END)
            .child(from_us.unsigned_abs());
        let late_us = (late.uniform(0) * (LATE_END_S * SECOND_US) as f64) as i64;
        let until_us = from_us + AUCTION_S * SECOND_US + late_us;
        let near = |pause: &Pause| {
            from_us <= pause.until_us && pause.from_us <= until_us + AUCTION_S * SECOND_US
        };
        if from_us > session.end_us - INTERRUPTION_CUTOFF_S * SECOND_US
            || self.pauses.iter().any(near)
        {
            return false;
        }
        let auction = self.auction(from_us, until_us);
        self.reference = auction.price_units;
        self.pauses.push(Pause {
            kind: PauseKind::Interruption(interruption),
            from_us,
            until_us,
            auction: Some(auction),
        });
        true
    }

    /// One trade at the auction price with the volume of the interrupted trades.
    fn auction(&self, from_us: i64, until_us: i64) -> Trade {
        let session = &self.drawn.day.path.session;
        let (first, last) = (session.minute_at(from_us), session.minute_at(until_us));
        let mut volume_units = 0;
        for minute in first..=last {
            self.drawn.for_each_raw_trade(minute, |trade| {
                if (from_us..=until_us).contains(&trade.event_time_us) {
                    volume_units += trade.volume_units;
                }
            });
        }
        let into = (until_us - session.minute_start_us(last)) as f64 / 60_000_000.0;
        let (from, to) = (self.drawn.level_at(last), self.drawn.level_at(last + 1));
        let price_units = self.drawn.day.print(from + (to - from) * into);
        self.drawn
            .single_price(until_us, price_units, volume_units.max(1))
    }

    fn price(&self, units: i64) -> Price {
        let scale = self.drawn.day.spec.grid.scale();
        Price(Decimal::from_i128_with_scale(i128::from(units), scale))
    }
}

/// Whether the market has halts and interruptions.
pub(super) fn can_pause(market: MarketCode) -> bool {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => true,
        MarketCode::Global | MarketCode::Coin | MarketCode::Gold => false,
    }
}

#[cfg(test)]
mod tests;
