//! Load for trading: as many acts of one kind as the service accepts, from many clients in a closed
//! loop. `benches/order_limit.pgbench`, `transfer_limit.pgbench` and `purchase_limit.pgbench` commit
//! the same rows without our code; run both in turn and compare the medians. Raise the limits of the
//! service first (`ORDERS_PER_SECOND`, `ORDERS_PER_MINUTE`, `OPEN_ORDERS_MAX`, `INITIAL_DEPOSIT_WON`).

mod act;

use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Parser, ValueEnum};
use tokio::task::JoinSet;

use act::Act;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Limit buys.
    Orders,
    /// Won moved from the BASIC account to the one for stocks, at most a hundred times a member and
    /// day.
    Transfers,
    /// One item at a time.
    Purchases,
}

/// Acts as fast as they are accepted.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The service.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    trading_url: String,
    #[arg(long, env = "BENCH_MODE", value_enum, default_value_t = Mode::Orders)]
    mode: Mode,
    /// Clients at a time, each with one act under way.
    #[arg(long, env = "BENCH_CLIENTS", default_value_t = 64)]
    clients: i64,
    /// Members whose accounts they use.
    #[arg(long, env = "BENCH_MEMBERS", default_value_t = 2_000)]
    members: i64,
    /// How long, in seconds, after a second of warm-up.
    #[arg(long, env = "BENCH_SECONDS", default_value_t = 6)]
    seconds: u64,
    /// What is ordered.
    #[arg(long, env = "BENCH_CODE", default_value = "005930")]
    code: String,
    /// What is bought, which a member must be able to own any number of.
    #[arg(long, env = "BENCH_ITEM", default_value_t = 1)]
    item: i64,
    /// The accounts are open already.
    #[arg(long)]
    opened: bool,
}

const CALL_TIMEOUT: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);

impl Mode {
    /// The members of one kind of act have nothing to do with those of another.
    fn first_member(self) -> i64 {
        match self {
            Self::Orders => 3_000_000,
            Self::Transfers => 3_100_000,
            Self::Purchases => 3_200_000,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Transfers => "transfers",
            Self::Purchases => "purchases",
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let act = Act::connect(&arguments).await?;
    if !arguments.opened {
        act.open_accounts(&arguments).await?;
    }

    let started = Instant::now() + WARM_UP;
    let until = started + Duration::from_secs(arguments.seconds);
    let mut clients = JoinSet::new();
    for index in 0..arguments.clients {
        // All over one connection, as a gateway comes.
        clients.spawn(repeat(
            arguments.clone(),
            act.clone(),
            index,
            started,
            until,
        ));
    }
    let mut times = Vec::new();
    let mut refused = 0_u64;
    while let Some(client) = clients.join_next().await {
        let (measured, failures) = client?;
        times.extend(measured);
        refused += failures;
    }
    times.sort_unstable();
    let count = u64::try_from(times.len())?;
    let at = |permille: usize| times.get(times.len() * permille / 1_000).copied();
    println!(
        "{} {count} in {} s: {} a second, p50 {:?}, p99 {:?}, not accepted {refused}",
        arguments.mode.name(),
        arguments.seconds,
        count / arguments.seconds.max(1),
        at(500).unwrap_or_default(),
        at(990).unwrap_or_default(),
    );
    if count == 0 {
        bail!("nothing was accepted");
    }
    Ok(())
}

/// Acts again and again; answers how long each accepted act took.
async fn repeat(
    arguments: Arguments,
    mut act: Act,
    index: i64,
    started: Instant,
    until: Instant,
) -> (Vec<Duration>, u64) {
    let mut times = Vec::new();
    let mut refused = 0;
    let mut turn = 0_i64;
    loop {
        let asked = Instant::now();
        if asked >= until {
            return (times, refused);
        }
        turn += 1;
        let offset = (index * 31 + turn * arguments.clients) % arguments.members.max(1);
        match act.run(arguments.mode.first_member() + offset).await {
            Ok(()) if asked >= started => times.push(asked.elapsed()),
            Ok(()) => {}
            Err(_) => refused += 1,
        }
    }
}
