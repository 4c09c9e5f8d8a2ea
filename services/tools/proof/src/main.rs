//! Proves a running product under faults: clients place, modify, cancel and repeat orders at
//! random, half of them over gRPC and half as members over HTTP, among them they transfer won, buy
//! items and open, pay into and close contracts, and others answer quizzes, while the caller kills
//! processes and servers. Each client retries with the same idempotency key until it has a response, and
//! checks it against its own model. In the end each response must be in the database exactly once
//! and nothing else, the recomputed books and the audit must agree with it, no price may have gone
//! back, and no candle may be missing. A market close and share splits may happen during the run.

mod acts;
mod arguments;
mod books;
mod candles;
mod caught_up;
mod client;
mod community;
mod identity;
mod invalid_request;
mod model;
mod moved;
mod order;
mod orders;
mod phone;
mod prices;
mod repeat;
mod responses;
mod results;
mod retries;
mod rng;
mod splits;
mod steady;
mod students;
mod trading_client;
mod transport;
mod workload;

use std::time::Duration;

use anyhow::bail;
use clap::Parser;
use secrecy::SecretString;
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgPool, Postgres, Transaction};
use telemetry::LogFormat;
use trading::audit;

use crate::arguments::Arguments;
use crate::splits::Splits;

#[derive(Debug, Parser)]
#[command(version)]
enum Command {
    /// Random orders under faults, then the checks.
    Orders(Box<Arguments>),
    /// Random texts, likes and relations under faults, then the checks.
    Community(community::Arguments),
    /// Appends the end of the tick log again.
    Repeat(repeat::Arguments),
    /// Load under which no request may fail while processes are replaced.
    Steady(steady::Arguments),
    /// Checks the books of all members that earlier runs left.
    Books {
        /// Trading's database.
        #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
        database_url: SecretString,
    },
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let command = Command::parse();
    bootstrap::init("proof", LogFormat::Text);
    match command {
        Command::Orders(arguments) => orders::run(&arguments).await,
        Command::Community(arguments) => community::run(arguments).await,
        Command::Repeat(arguments) => repeat::run(&arguments).await,
        Command::Steady(arguments) => steady::run(arguments).await,
        Command::Books { database_url } => books(&database_url).await,
    }
}

async fn books(database_url: &SecretString) -> anyhow::Result<()> {
    let pool = connect(database_url).await?;
    let members: Vec<i64> = sqlx::query_scalar("select distinct member_id from account")
        .fetch_all(&pool)
        .await?;
    let mut snapshot = begin_snapshot(&pool).await?;
    let mut faults = books::check(&mut snapshot, &members, &Splits::default()).await?;
    faults.extend(identity::check(&mut snapshot).await?);
    drop(snapshot);
    for fault in faults.iter().take(100) {
        println!("fault: {fault}");
    }
    let report = audit::run(&pool, 120).await?;
    println!("{report}");
    if !faults.is_empty() || !report.findings.is_empty() {
        bail!("the books do not add up");
    }
    Ok(())
}

/// A repeatable-read transaction, so that orders that fill meanwhile do not change the checks.
pub(crate) async fn begin_snapshot(
    pool: &PgPool,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let mut snapshot = pool.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only")
        .execute(&mut *snapshot)
        .await?;
    Ok(snapshot)
}

/// Retries, as the database may be restarting. The checks need longer timeouts than the
/// statements of a service.
pub(crate) async fn connect(url: &SecretString) -> anyhow::Result<PgPool> {
    let mut tries = 0;
    loop {
        match bootstrap::database::connect(url, 2).await {
            Ok((pool, _)) => {
                let options = pool.connect_options().as_ref().clone();
                let long_timeouts = options.options([
                    ("statement_timeout", "10min"),
                    ("idle_in_transaction_session_timeout", "10min"),
                ]);
                let pool = PgPoolOptions::new()
                    .max_connections(2)
                    .connect_with(long_timeouts);
                return Ok(pool.await?);
            }
            Err(error) if tries < 60 => {
                tries += 1;
                tracing::warn!(%error, "Database is not available yet");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
