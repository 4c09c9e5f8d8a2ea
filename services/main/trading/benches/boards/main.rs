//! How long the accounts of a competition take to be valued at one price each and ranked on both boards,
//! in memory and on one core: what the worker does between reading them and publishing the boards; and
//! how much memory that needs. With a Redis and an empty database also how long it takes to publish the
//! boards, and to read them. One line of JSON comes out.
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made must stop"
)]

mod published;

use std::collections::HashMap;
use std::time::Instant;

use chrono::{DateTime, TimeDelta};
use clap::Parser;
use kernel::{AccountId, Currency, MemberId, Price, Quantity, Won};
use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use trading::competitions::BoardKind;
use trading::competitions::ranking::{Activity, Ranked, rank};
use trading::competitions::valuation::{Entrant, Fall, InstrumentPrice, Owned, Portfolios};

use published::millis;

#[derive(Clone, Debug, Parser)]
struct Settings {
    #[arg(long, default_value_t = 300_000)]
    entrants: i64,
    /// Holdings of each entrant.
    #[arg(long, default_value_t = 5)]
    holdings: i64,
    /// Where the boards are published.
    #[arg(long, env = "BENCH_REDIS_URL", hide_env_values = true)]
    redis_url: Option<SecretString>,
    /// An empty database.
    #[arg(long, env = "BENCH_DATABASE_URL", hide_env_values = true)]
    database_url: Option<SecretString>,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const INSTRUMENTS: i64 = 3_000;
const START_CASH: i64 = 10_000_000;
const ROUNDS: usize = 5;

/// An event as the worker knows it before it is valued.
struct Event {
    portfolios: Portfolios,
    prices: Vec<InstrumentPrice>,
    needed: Activity,
    activity: HashMap<AccountId, Activity>,
    falls: HashMap<AccountId, Fall>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let settings = Settings::parse();
    let before = memory("VmRSS:");
    let event = event(&settings);
    let mut valued = Vec::new();
    let mut boards = Vec::new();
    for _round in 0..ROUNDS {
        drop(std::mem::take(&mut boards));
        let begun = Instant::now();
        boards = ranked(&event);
        valued.push(millis(begun.elapsed()));
    }
    let entrants = event.portfolios.entrants.len();
    assert!(boards.iter().all(|(_, board)| board.len() == entrants));
    let peak = memory("VmHWM:") - before;
    let bytes =
        size_of::<Entrant>() + usize::try_from(settings.holdings).unwrap() * size_of::<Owned>();
    let mut published = json!(null);
    if let Some(url) = &settings.redis_url {
        published = published::in_redis(url.expose_secret(), &boards).await;
    }
    let mut stored = None;
    if let Some(url) = &settings.database_url {
        stored = Some(published::in_postgres(url.expose_secret(), &boards).await);
    }
    println!(
        "{}",
        json!({
            "entrants": entrants,
            "valuedMs": valued,
            "portfolioBytes": bytes,
            "peakBytes": peak / u64::try_from(entrants).unwrap(),
            "redis": published,
            "storedMs": stored,
        })
    );
}

/// Values all accounts and ranks them on both boards.
fn ranked(event: &Event) -> Vec<(BoardKind, Vec<Ranked>)> {
    let portfolios = &event.portfolios;
    let equities = portfolios.equities(&event.prices);
    let standings = portfolios.standings(
        &equities,
        Won(START_CASH),
        &event.needed,
        &event.activity,
        &event.falls,
    );
    let kinds = BoardKind::ALL.iter().copied();
    kinds
        .map(|kind| (kind, rank(standings.clone(), kind)))
        .collect()
}

/// Bytes of memory of this process, as a line of its status says.
fn memory(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let found = status.lines().find_map(|one| one.strip_prefix(line));
    let kb = found.and_then(|found| found.trim().strip_suffix(" kB"));
    kb.unwrap().trim().parse::<u64>().unwrap() * 1_024
}

fn event(settings: &Settings) -> Event {
    let portfolios = portfolios(settings);
    let active = Activity {
        buys: 3,
        items: 2,
        days: 2,
    };
    let accounts = portfolios.entrants.iter().map(|one| one.account_id);
    let fall = |id: AccountId| {
        let fall = Fall::from_start(Won(START_CASH)).with(Won(9_000_000 + id.0));
        (id, fall)
    };
    Event {
        prices: (0..INSTRUMENTS).map(price).collect(),
        needed: active,
        activity: accounts.clone().map(|id| (id, active)).collect(),
        falls: accounts.map(fall).collect(),
        portfolios,
    }
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
