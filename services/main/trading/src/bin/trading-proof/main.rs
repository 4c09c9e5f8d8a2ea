//! The proof: many clients place, cancel and repeat orders at random against a running service,
//! while whoever called this kills what they like. Each client keeps asking with the same request
//! id until it has an answer, and writes down what it was told. In the end every answer must be in
//! the database exactly once, nothing else may be, and the audit must be green.

mod checker;
mod client;
mod dice;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bootstrap::LogFormat;
use clap::Parser;
use secrecy::SecretString;
use tokio::task::JoinSet;
use trading::audit;

use crate::client::{Client, Told};

/// Random operations against a running trading service, then a check of everything it said.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The service.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    trading_url: String,
    /// Its database, to check what was said.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: SecretString,
    /// How many operations in all.
    #[arg(long, env = "PROOF_OPERATIONS", default_value_t = 20_000)]
    operations: u64,
    /// Clients at a time.
    #[arg(long, env = "PROOF_CLIENTS", default_value_t = 32)]
    clients: u64,
    /// Members they act for.
    #[arg(long, env = "PROOF_MEMBERS", default_value_t = 400)]
    members: u64,
    /// Where the random numbers begin; another number is another run.
    #[arg(long, env = "PROOF_SEED", default_value_t = 1)]
    seed: u64,
    /// Instruments they trade.
    #[arg(
        long,
        env = "PROOF_CODES",
        value_delimiter = ',',
        default_value = "005930,000660,035420,069500,AAPL,NVDA,KRW-BTC,KRW-XRP"
    )]
    codes: Vec<String>,
    /// Stop after this many seconds even if operations are left.
    #[arg(long, env = "PROOF_SECONDS_MAX", default_value_t = 3_600)]
    seconds_max: u64,
    /// How long one operation may stay without an answer, in seconds.
    #[arg(long, env = "PROOF_PATIENCE_S", default_value_t = 120)]
    patience_s: u64,
}

/// Members of proofs are numbered far away from those who join; each seed has its own.
const FIRST_MEMBER: u64 = 1_000_000_000_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    bootstrap::init("trading-proof", LogFormat::Text);
    let started = Instant::now();
    let first_member = FIRST_MEMBER + arguments.seed.wrapping_mul(1_000_000) % FIRST_MEMBER;
    println!(
        "proof: seed {}, {} operations, {} clients, {} members from {first_member}",
        arguments.seed, arguments.operations, arguments.clients, arguments.members
    );

    let left = Arc::new(AtomicU64::new(arguments.operations));
    let mut clients = JoinSet::new();
    for index in 0..arguments.clients.max(1) {
        let client = Client::new(&arguments, index, first_member)?;
        let left = Arc::clone(&left);
        let until = started + Duration::from_secs(arguments.seconds_max);
        clients.spawn(client.work(left, until));
    }
    let mut told = Told::default();
    while let Some(one) = clients.join_next().await {
        told.add(one.context("a client broke")?);
    }
    let seconds = started.elapsed().as_secs().max(1);
    let done = arguments.operations - left.load(Ordering::Relaxed).min(arguments.operations);
    println!(
        "proof: {done} operations in {seconds} s, {} a second",
        done / seconds
    );
    println!("{told}");

    let pool = connect(&arguments.database_url).await?;
    let mut faults = checker::check(&pool, &told, first_member, arguments.members).await?;
    // The relay has just come back with the rest; events it is sending now are not late.
    let report = audit::run(&pool, 120).await?;
    println!("{report}");
    faults += report.findings.len() + told.unresolved.len();
    for unresolved in &told.unresolved {
        println!("no answer: {unresolved}");
    }
    println!("proof: seed {}, {faults} faults", arguments.seed);
    if faults > 0 {
        bail!("the proof has failed");
    }
    Ok(())
}

/// The database may just be coming back.
async fn connect(url: &SecretString) -> anyhow::Result<sqlx::PgPool> {
    let mut tries = 0;
    loop {
        match bootstrap::database::connect(url, 2).await {
            Ok((pool, _)) => return Ok(pool),
            Err(error) if tries < 60 => {
                tries += 1;
                tracing::warn!(%error, "The database is not there yet");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
