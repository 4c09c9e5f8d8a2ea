//! The seed's market with exchange hours, for tests of pauses and events.

use std::sync::Arc;

use chrono::NaiveDate;
use market_rules::Calendar;

use super::session::MarketHours;
use super::simulation::{MarketParameters, Simulation};
use super::spec::InstrumentSpec;
use crate::catalogue::Catalogue;
use crate::seed;

pub(super) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Live from 2 November 2026, with configured events.
pub(super) fn market(seed: &str, ordered: &str, until: &str) -> Simulation {
    let universe = seed::MARKET.read().unwrap();
    let catalogue = Catalogue::new(universe.instruments, universe.indices, universe.currencies);
    let parameters = MarketParameters {
        seed: seed.as_bytes().to_vec(),
        hours: MarketHours::Exchange,
        history_from: day("2026-10-01"),
        first_live_day: day("2026-11-02"),
        trades_per_second: 220.0,
        ordered: Arc::new(ordered.parse().unwrap()),
    };
    let calendar = Arc::new(Calendar::embedded().unwrap());
    Simulation::new(parameters, calendar, &catalogue, day(until))
}

pub(super) fn spec<'a>(market: &'a Simulation, code: &str) -> &'a Arc<InstrumentSpec> {
    let mut specs = market.specs().iter();
    specs.find(|spec| spec.instrument.code == code).unwrap()
}
