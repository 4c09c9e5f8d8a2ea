//! The whole built-in market: factors and instruments, advanced day by day.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::NaiveDate;
use market_rules::{Calendar, Venue};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use crate::catalogue::Catalogue;

use super::day::{InstrumentDay, InstrumentTrack};
use super::events::ConfiguredEvents;
use super::factor::Factor;
use super::factors::Factors;
use super::session::{MarketHours, SimulatedSession};
use super::spec::{InstrumentSpec, specs};

/// The parameters of the market. Equal parameters give equal prices.
#[derive(Clone, Debug)]
pub struct MarketParameters {
    pub seed: Vec<u8>,
    pub hours: MarketHours,
    /// First day of the history.
    pub history_from: NaiveDate,
    /// The Korean day on which the market went live with the seed's prices.
    pub first_live_day: NaiveDate,
    /// Mean trades per second over all instruments.
    pub trades_per_second: f64,
    /// Events in addition to those from the seed.
    pub ordered: Arc<ConfiguredEvents>,
}

/// The instruments and the factors of the built-in market.
#[derive(Debug)]
pub struct Simulation {
    parameters: MarketParameters,
    calendar: Arc<Calendar>,
    specs: Vec<Arc<InstrumentSpec>>,
    factors: Factors,
    won_per_dollar: f64,
}

impl Simulation {
    #[must_use]
    pub fn new(
        parameters: MarketParameters,
        calendar: Arc<Calendar>,
        catalogue: &Catalogue,
        until: NaiveDate,
    ) -> Self {
        let specs = specs(
            &parameters.seed,
            catalogue,
            &parameters.ordered,
            parameters.trades_per_second,
        );
        let mut factors = Factors::new(
            &parameters.seed,
            Arc::clone(&calendar),
            parameters.hours,
            parameters.first_live_day,
        );
        factors.extend(parameters.history_from, until);
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
            parameters,
        }
    }

    #[must_use]
    pub fn specs(&self) -> &[Arc<InstrumentSpec>] {
        &self.specs
    }

    #[must_use]
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    #[must_use]
    pub fn parameters(&self) -> &MarketParameters {
        &self.parameters
    }

    pub fn extend(&mut self, until: NaiveDate) {
        self.factors.extend(self.parameters.history_from, until);
    }

    /// `None` when the venue does not trade.
    #[must_use]
    pub fn session(&self, venue: Venue, day: NaiveDate) -> Option<SimulatedSession> {
        self.parameters.hours.session(&self.calendar, venue, day)
    }

    /// The sessions over a span of days, oldest first.
    pub fn sessions(
        &self,
        venue: Venue,
        from: NaiveDate,
        until: NaiveDate,
    ) -> impl Iterator<Item = SimulatedSession> {
        self.parameters
            .hours
            .sessions(&self.calendar, venue, from, until)
    }

    /// Advances an instrument from the first day of history until `until`, visits each day, and
    /// returns the final track.
    pub fn walk(
        &self,
        spec: &Arc<InstrumentSpec>,
        until: NaiveDate,
        mut visit: impl FnMut(InstrumentDay),
    ) -> InstrumentTrack {
        let venue = spec.node.venue;
        let live_from = self.parameters.first_live_day;
        let history = || {
            let sessions = self.sessions(venue, self.parameters.history_from, until);
            sessions.take_while(move |session| session.day < live_from)
        };
        // Paths do not depend on the initial level, so a first walk finds the level from which the
        // history ends at the seed's price.
        let mut trial = super::track::Track::new(&spec.node, 0.0);
        let all_history = self
            .sessions(venue, self.parameters.history_from, live_from)
            .take_while(|session| session.day < live_from);
        for session in all_history {
            trial.advance(&session, &self.factors);
        }
        let begin = spec.grid.logarithm(spec.base_units) - trial.level();
        let mut track = InstrumentTrack::new(spec, begin);
        let listed = |session: &SimulatedSession| {
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

    /// Won per dollar times 10,000.
    #[must_use]
    pub fn won_per_dollar_e4(&self, time_us: i64) -> i64 {
        let rate = self.won_per_dollar * self.factors.growth_at(Factor::Fx, time_us).exp();
        (rate * 10_000.0).round() as i64
    }

    /// Won per unit of a currency whose rate started at `base`. Other currencies follow the dollar
    /// in part.
    #[must_use]
    pub fn exchange_rate(&self, unit: &str, base: Decimal, time_us: i64) -> Decimal {
        let weights = HashMap::from([("USD", 1.0), ("JPY(100)", 0.6), ("EUR", 0.7), ("CNH", 0.8)]);
        let weight = weights.get(unit).copied().unwrap_or(1.0);
        let growth = (weight * self.factors.growth_at(Factor::Fx, time_us)).exp();
        let rate = base.to_f64().unwrap_or(0.0) * growth;
        Decimal::try_from(rate).unwrap_or(base).round_dp(4)
    }

    /// Value of an index that started at `base`.
    #[must_use]
    pub fn index_value(&self, code: &str, base: Decimal, time_us: i64) -> Decimal {
        let (factor, weight) = followed(code);
        grown(base, weight * self.factors.growth_at(factor, time_us))
    }

    /// The value with which [`Simulation::index_value`] is compared at an instant: that of the close
    /// before the session of its venue that runs or ran last.
    #[must_use]
    pub fn index_before(&self, code: &str, base: Decimal, time_us: i64) -> Decimal {
        let (factor, weight) = followed(code);
        grown(base, weight * self.factors.growth_before(factor, time_us))
    }
}

/// The factor that an index follows, and how much it moves with it.
fn followed(code: &str) -> (Factor, f64) {
    match code {
        "1001" => (Factor::Kosdaq, 1.0),
        "SPX" => (Factor::Spx, 1.0),
        "COMP" => (Factor::Spx, 1.25),
        _ => (Factor::Kospi, 1.0),
    }
}

fn grown(base: Decimal, growth: f64) -> Decimal {
    let value = base.to_f64().unwrap_or(0.0) * growth.exp();
    Decimal::try_from(value).unwrap_or(base).round_dp(2)
}
