//! The whole built-in market: factors and instruments, moved from day to day.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::NaiveDate;
use market_rules::{Calendar, Venue};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use crate::catalogue::Catalogue;

use super::day::{InstrumentDay, InstrumentTrack};
use super::events::Ordered;
use super::factor::Factor;
use super::factors::Factors;
use super::recipe::{InstrumentSpec, specs};
use super::session::{MarketHours, Session};

/// What the market is made from. The same values give the same prices.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The master seed.
    pub seed: Vec<u8>,
    /// Which hours markets keep.
    pub hours: MarketHours,
    /// The first day of which history is made.
    pub history_from: NaiveDate,
    /// The day on which the market went live (Korea's date): prices begin at the seed's.
    pub first_live_day: NaiveDate,
    /// Trades of an average second over all instruments.
    pub trades_per_second: f64,
    /// Events beside those that are drawn.
    pub ordered: Arc<Ordered>,
}

/// The built-in market at rest: its instruments and its factors.
#[derive(Debug)]
pub struct Simulation {
    setting: Setting,
    calendar: Arc<Calendar>,
    specs: Vec<Arc<InstrumentSpec>>,
    factors: Factors,
    won_per_dollar: f64,
}

impl Simulation {
    /// Prepares the market with its factors computed until `until`.
    #[must_use]
    pub fn new(
        setting: Setting,
        calendar: Arc<Calendar>,
        catalogue: &Catalogue,
        until: NaiveDate,
    ) -> Self {
        let specs = specs(
            &setting.seed,
            catalogue,
            &setting.ordered,
            setting.trades_per_second,
        );
        let mut factors = Factors::new(
            &setting.seed,
            Arc::clone(&calendar),
            setting.hours,
            setting.first_live_day,
        );
        factors.extend(setting.history_from, until);
        let dollar = catalogue
            .currencies()
            .iter()
            .find(|currency| currency.unit == "USD");
        Self {
            calendar,
            specs: specs.into_iter().map(Arc::new).collect(),
            factors,
            won_per_dollar: dollar
                .and_then(|currency| currency.base_rate.to_f64())
                .unwrap_or(1_470.0),
            setting,
        }
    }

    /// Every instrument.
    #[must_use]
    pub fn specs(&self) -> &[Arc<InstrumentSpec>] {
        &self.specs
    }

    /// What moves everything.
    #[must_use]
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// What it was made from.
    #[must_use]
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Computes the factors until `until`.
    pub fn extend(&mut self, until: NaiveDate) {
        self.factors.extend(self.setting.history_from, until);
    }

    /// The session of a venue on a day, `None` when it does not trade.
    #[must_use]
    pub fn session(&self, venue: Venue, day: NaiveDate) -> Option<Session> {
        self.setting.hours.session(&self.calendar, venue, day)
    }

    /// The sessions of a venue over a span of days, oldest first.
    pub fn sessions(
        &self,
        venue: Venue,
        from: NaiveDate,
        until: NaiveDate,
    ) -> impl Iterator<Item = Session> {
        self.setting
            .hours
            .sessions(&self.calendar, venue, from, until)
    }

    /// Walks an instrument from the first day of history until `until`, visiting each day.
    /// Returns the track where it stands then.
    pub fn walk(
        &self,
        spec: &Arc<InstrumentSpec>,
        until: NaiveDate,
        mut visit: impl FnMut(InstrumentDay),
    ) -> InstrumentTrack {
        let venue = spec.node.venue;
        let live_from = self.setting.first_live_day;
        let history = || {
            let sessions = self.sessions(venue, self.setting.history_from, until);
            sessions.take_while(move |session| session.day < live_from)
        };
        // Paths do not depend on where they begin, so the first walk tells where to begin for
        // history to end at the seed's price.
        let mut trial = super::track::Track::new(&spec.node, 0.0);
        let all_history = self
            .sessions(venue, self.setting.history_from, live_from)
            .take_while(|session| session.day < live_from);
        for session in all_history {
            trial.advance(&session, &self.factors);
        }
        let begin = spec.grid.logarithm(spec.base_units) - trial.level();
        let mut track = InstrumentTrack::new(spec, begin);
        let listed = |session: &Session| {
            let listed_on = spec.instrument.listed_on;
            listed_on.is_none_or(|listed_on| session.day >= listed_on)
        };
        for session in history() {
            let day = track.advance(&session, &self.factors);
            if listed(&session) {
                visit(day);
            }
        }
        if until >= live_from {
            track.go_live();
            for session in self.sessions(venue, live_from, until) {
                visit(track.advance(&session, &self.factors));
            }
        }
        track
    }

    /// Won per dollar in ten-thousandths at an instant.
    #[must_use]
    pub fn won_per_dollar_e4(&self, time_us: i64) -> i64 {
        let rate = self.won_per_dollar * self.factors.growth_at(Factor::Fx, time_us).exp();
        (rate * 10_000.0).round() as i64
    }

    /// Won for one unit of a currency whose rate began at `base`. Other currencies follow the
    /// dollar in part.
    #[must_use]
    pub fn exchange_rate(&self, unit: &str, base: Decimal, time_us: i64) -> Decimal {
        let weights = HashMap::from([("USD", 1.0), ("JPY(100)", 0.6), ("EUR", 0.7), ("CNH", 0.8)]);
        let weight = weights.get(unit).copied().unwrap_or(1.0);
        let growth = (weight * self.factors.growth_at(Factor::Fx, time_us)).exp();
        let rate = base.to_f64().unwrap_or(0.0) * growth;
        Decimal::try_from(rate).unwrap_or(base).round_dp(4)
    }

    /// Value of an index that began at `base`.
    #[must_use]
    pub fn index_value(&self, code: &str, base: Decimal, time_us: i64) -> Decimal {
        let (factor, weight) = match code {
            "1001" => (Factor::Kosdaq, 1.0),
            "SPX" => (Factor::Spx, 1.0),
            "COMP" => (Factor::Spx, 1.25),
            _ => (Factor::Kospi, 1.0),
        };
        let growth = (weight * self.factors.growth_at(factor, time_us)).exp();
        let value = base.to_f64().unwrap_or(0.0) * growth;
        Decimal::try_from(value).unwrap_or(base).round_dp(2)
    }
}
