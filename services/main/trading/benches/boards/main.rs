//! How long the accounts of a competition take to be valued at one price each and ranked on both boards,
//! in memory and on one core: what the worker does between reading them and publishing the boards. The
//! median of five; one line of JSON comes out.
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made must stop"
)]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta};
use clap::Parser;
use kernel::{AccountId, Currency, MemberId, Price, Quantity, Won};
use rust_decimal::Decimal;
use serde_json::json;
use trading::competitions::BoardKind;
use trading::competitions::ranking::{Activity, rank};
use trading::competitions::valuation::{Entrant, Fall, InstrumentPrice, Owned, Portfolios};

#[derive(Clone, Debug, Parser)]
struct Settings {
    #[arg(long, default_value_t = 300_000)]
    entrants: i64,
    /// Holdings of each entrant.
    #[arg(long, default_value_t = 5)]
    holdings: i64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const INSTRUMENTS: i64 = 3_000;
const START_CASH: i64 = 10_000_000;
const ROUNDS: usize = 5;

fn main() {
    let settings = Settings::parse();
    let portfolios = portfolios(&settings);
    let prices: Vec<InstrumentPrice> = (0..INSTRUMENTS).map(price).collect();
    let active = Activity {
        buys: 3,
        items: 2,
        days: 2,
    };
    let accounts = portfolios.entrants.iter().map(|one| one.account_id);
    let activity: HashMap<AccountId, Activity> = accounts.clone().map(|id| (id, active)).collect();
    let falls: HashMap<AccountId, Fall> = accounts
        .map(|id| {
            (
                id,
                Fall::from_start(Won(START_CASH)).with(Won(9_000_000 + id.0)),
            )
        })
        .collect();
    let mut rounds: Vec<Duration> = (0..ROUNDS)
        .map(|_round| {
            let started = Instant::now();
            let equities = portfolios.equities(&prices);
            let standings =
                portfolios.standings(&equities, Won(START_CASH), &active, &activity, &falls);
            let ranked = BoardKind::ALL.iter().copied();
            let ranked: usize = ranked.map(|kind| rank(standings.clone(), kind).len()).sum();
            assert_eq!(ranked, 2 * portfolios.entrants.len());
            started.elapsed()
        })
        .collect();
    rounds.sort();
    let median = rounds.get(ROUNDS / 2).unwrap();
    let bytes =
        size_of::<Entrant>() + usize::try_from(settings.holdings).unwrap() * size_of::<Owned>();
    println!(
        "{}",
        json!({
            "entrants": settings.entrants,
            "median_ms": u64::try_from(median.as_millis()).unwrap(),
            "portfolio_bytes": bytes,
        })
    );
}

fn portfolios(settings: &Settings) -> Portfolios {
    let entrant = |id: i64| Entrant {
        account_id: AccountId(id),
        member_id: MemberId(id),
        joined_at: DateTime::UNIX_EPOCH + TimeDelta::seconds(id),
        cash: Won(1_000_000 + id % 1_000),
    };
    let owned = (0..settings.entrants).flat_map(|id| {
        (0..settings.holdings).map(move |place| Owned {
            account_id: AccountId(id),
            instrument: usize::try_from((id * 7 + place * 601) % INSTRUMENTS).unwrap(),
            quantity: Quantity(Decimal::from(1 + (id + place) % 97)),
            cost: Won(1_000_000),
        })
    });
    let currency = |index: i64| {
        if index % 5 == 0 {
            Currency::Usd
        } else {
            Currency::Krw
        }
    };
    Portfolios {
        entrants: (0..settings.entrants).map(entrant).collect(),
        owned: owned.collect(),
        instruments: (0..INSTRUMENTS)
            .map(|index| (format!("{index:06}"), currency(index)))
            .collect(),
    }
}

fn price(index: i64) -> InstrumentPrice {
    let dollars = index % 5 == 0;
    let price = if dollars {
        Decimal::new(20_000 + index, 2)
    } else {
        Decimal::from(20_000 + index * 10)
    };
    Some((Price(price), dollars.then(|| Decimal::from(1_470))))
}
