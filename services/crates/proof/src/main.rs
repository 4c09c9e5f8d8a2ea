//! The proof: many clients place, modify, cancel and repeat orders at random against a running
//! product, half of them inside and half as members over HTTP, while whoever called this kills
//! what they like. Each client keeps asking with the same retry key until it has an answer, and
//! compares it with a model of its own. In the end every answer must be in the database exactly
//! once and nothing else may be, the books reckoned again from the receipts must be the books, the
//! audit must be green, no shown price may have gone back, and no candle may be missing. A close
//! and share splits may come in the middle of it: orders that wait then end or are divided.

mod answers;
mod books;
mod candles;
mod caught_up;
mod client;
mod dice;
mod door;
mod inside;
mod mischief;
mod model;
mod phone;
mod prices;
mod repeat;
mod splits;
mod steady;
mod told;
mod wish;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bootstrap::LogFormat;
use clap::Parser;
use kernel::{Clock, SystemClock};
use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::watch;
use tokio::task::JoinSet;
use trading::audit;

use crate::client::Client;
use crate::dice::Dice;
use crate::door::Door;
use crate::inside::Inside;
use crate::phone::Phone;
use crate::splits::Splits;
use crate::told::Told;
use crate::work::Work;

/// Random operations against a running product, then a check of everything it said.
#[derive(Clone, Debug, Parser)]
struct Arguments {
    /// The trading service.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    trading_url: String,
    /// The gateway, as members reach it.
    #[arg(long, env = "PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    public_origin: String,
    /// The sise edge, as members reach it.
    #[arg(long, env = "SISE_ORIGIN", default_value = "http://localhost:8081")]
    sise_origin: String,
    /// Trading's database, to check what was said.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: SecretString,
    /// The broker, whose log the matcher must have read in the end.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    amqp_url: SecretString,
    /// How many operations in all.
    #[arg(long, env = "PROOF_OPERATIONS", default_value_t = 20_000)]
    operations: u64,
    /// Clients at a time.
    #[arg(long, env = "PROOF_CLIENTS", default_value_t = 32)]
    clients: u64,
    /// How many of them are phones of members who join.
    #[arg(long, env = "PROOF_PHONES", default_value_t = 16)]
    phones: u64,
    /// Members the others act for.
    #[arg(long, env = "PROOF_MEMBERS", default_value_t = 400)]
    members: u64,
    /// Sockets that watch prices.
    #[arg(long, env = "PROOF_WATCHERS", default_value_t = 3)]
    watchers: u64,
    /// Where the random numbers begin; another number is another run.
    #[arg(long, env = "PROOF_SEED", default_value_t = 1)]
    seed: u64,
    /// Instruments they trade.
    #[arg(
        long,
        env = "PROOF_CODES",
        value_delimiter = ',',
        default_value = "005930,000660,035420,069500,AAPL,NVDA,KRW-BTC,KRW-XRP,04020000"
    )]
    codes: Vec<String>,
    /// Stop after this many seconds even if operations are left.
    #[arg(long, env = "PROOF_SECONDS_MAX", default_value_t = 3_600)]
    seconds_max: u64,
    /// Orders far from the market that wait before the load begins.
    #[arg(long, env = "PROOF_RESTING", default_value_t = 0)]
    resting: u64,
    /// When the markets close, in seconds since 1970: there is load until half a minute later.
    #[arg(long, env = "PROOF_CLOSE_AT")]
    close_at: Option<i64>,
    /// Splits at that close: `split CODE DAY NEW/OLD; …`.
    #[arg(long, env = "PROOF_SPLITS", default_value = "")]
    splits: Splits,
    /// Stop when there is a file of this name, even if operations are left.
    #[arg(long, env = "PROOF_UNTIL")]
    until: Option<PathBuf>,
    /// How long one operation may stay without an answer, in seconds.
    #[arg(long, env = "PROOF_PATIENCE_S", default_value_t = 180)]
    patience_s: u64,
}

/// Members of proofs are numbered far away from those who join; each seed has its own.
const FIRST_MEMBER: u64 = 1_000_000_000_000;

/// What is proved.
#[derive(Debug, Parser)]
#[command(version)]
enum Command {
    /// That every answer is kept, whatever is killed.
    Orders(Box<Arguments>),
    /// Repeats the end of the tick log.
    Repeat(repeat::Arguments),
    /// That no request fails, whatever is replaced.
    Steady(steady::Arguments),
    /// That the books add up which earlier proofs have left.
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
        Command::Orders(arguments) => orders(*arguments).await,
        Command::Repeat(arguments) => repeat::run(&arguments).await,
        Command::Steady(arguments) => steady::run(arguments).await,
        Command::Books { database_url } => books(&database_url).await,
    }
}

async fn orders(arguments: Arguments) -> anyhow::Result<()> {
    let first_member = FIRST_MEMBER + arguments.seed.wrapping_mul(1_000_000) % FIRST_MEMBER;
    println!(
        "proof: seed {}, {} operations, {} clients, {} of them phones",
        arguments.seed, arguments.operations, arguments.clients, arguments.phones
    );
    let mut phones = JoinSet::new();
    for index in 0..arguments.phones.min(arguments.clients) {
        let (origin, seed) = (arguments.public_origin.clone(), arguments.seed);
        phones.spawn(async move { Phone::join(&origin, seed, index).await });
    }
    let mut doors = Vec::new();
    let mut members = Vec::new();
    while let Some(phone) = phones.join_next().await {
        let phone = phone??;
        members.push(phone.member_id());
        doors.push(Door::Public(Box::new(phone)));
    }
    let inside = Inside::new(&arguments.trading_url)?;
    for member in first_member..first_member + arguments.members {
        members.push(i64::try_from(member)?);
    }
    while u64::try_from(doors.len())? < arguments.clients {
        doors.push(Door::Inside(
            Box::new(Inside::new(&arguments.trading_url)?),
            first_member,
            arguments.members,
        ));
    }

    let clients = rest(&arguments, doors).await?;
    println!("proof: begun");
    let began = SystemClock.now();
    let (over, is_over) = watch::channel(false);
    let mut watchers = JoinSet::new();
    for _ in 0..arguments.watchers {
        let (origin, codes) = (arguments.sise_origin.clone(), arguments.codes.clone());
        let is_over = is_over.clone();
        watchers.spawn(async move { prices::watch(&origin, &codes, is_over).await });
    }
    let mut told = work(&arguments, clients).await?;
    println!("{told}");

    let mut faults = std::mem::take(&mut told.faults);
    let ended = SystemClock.now();
    faults.extend(candles::check(&arguments.public_origin, &arguments.codes, began, ended).await?);
    let _heard = over.send(true);
    while let Some(watched) = watchers.join_next().await {
        let watched = watched.context("a watcher broke")?;
        println!(
            "checked: {} prices over {} connections, at most {} ms without one after a cut, {} faults",
            watched.values,
            watched.connections,
            watched.longest_away.as_millis(),
            watched.faults.len()
        );
        faults.extend(watched.faults.into_iter().take(20));
    }

    let pool = connect(&arguments.database_url).await?;
    faults.extend(caught_up::wait(&pool, arguments.amqp_url.expose_secret()).await?);
    let mut snapshot = snapshot(&pool).await?;
    faults.extend(answers::check(&mut snapshot, &told, &members).await?);
    faults.extend(books::check(&mut snapshot, &members, &arguments.splits).await?);
    if arguments.close_at.is_some() {
        faults.extend(answers::closed(&mut snapshot, &members).await?);
    }
    drop(snapshot);
    faults.extend(
        shown(
            &pool,
            &inside,
            arguments.seed,
            first_member,
            arguments.members,
        )
        .await?,
    );
    // The relay has just come back with the rest; events it is sending now are not late.
    let report = audit::run(&pool, 120).await?;
    println!("{report}");
    let total = faults.len() + report.findings.len() + told.unresolved.len();
    for fault in faults.iter().take(100) {
        println!("fault: {fault}");
    }
    for unresolved in &told.unresolved {
        println!("no answer: {unresolved}");
    }
    println!("proof: seed {}, {total} faults", arguments.seed);
    if total > 0 {
        bail!("the proof has failed");
    }
    Ok(())
}

async fn books(database_url: &SecretString) -> anyhow::Result<()> {
    let pool = connect(database_url).await?;
    let members: Vec<i64> = sqlx::query_scalar("select distinct member_id from account")
        .fetch_all(&pool)
        .await?;
    let faults = books::check(&mut *snapshot(&pool).await?, &members, &Splits::default()).await?;
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

/// Lets those inside place orders that wait.
async fn rest(arguments: &Arguments, doors: Vec<Door>) -> anyhow::Result<Vec<Client>> {
    let inside = doors
        .iter()
        .filter(|door| matches!(door, Door::Inside(..)))
        .count();
    let each = arguments.resting.div_ceil(u64::try_from(inside)?.max(1));
    let mut resting = JoinSet::new();
    for (index, door) in doors.into_iter().enumerate() {
        let mut client = Client::new(arguments, u64::try_from(index)?, door);
        resting.spawn(async move {
            if matches!(client.door, Door::Inside(..)) {
                client.rest(each).await;
            }
            client
        });
    }
    let clients = resting.join_all().await;
    let waiting: u64 = clients.iter().map(|client| client.told.placed).sum();
    println!("proof: {waiting} orders wait");
    Ok(clients)
}

/// Lets the clients work until nothing is left to do.
async fn work(arguments: &Arguments, all: Vec<Client>) -> anyhow::Result<Told> {
    let started = Instant::now();
    let work = Arc::new(Work::new(arguments));
    let mut clients = JoinSet::new();
    for client in all {
        clients.spawn(client.work(Arc::clone(&work)));
    }
    let mut told = Told::default();
    let mut report = tokio::time::interval(Duration::from_secs(30));
    let mut look = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            one = clients.join_next() => match one {
                Some(one) => told.add(one.context("a client broke")?),
                None => break,
            },
            _ = look.tick() => {
                if arguments.until.as_ref().is_some_and(|file| file.exists()) {
                    work.is_stopped.store(true, Ordering::Relaxed);
                }
            }
            _ = report.tick() => {
                let done = work.done.load(Ordering::Relaxed);
                println!("proof: {done} done after {} s", started.elapsed().as_secs());
            }
        }
    }
    let seconds = started.elapsed().as_secs().max(1);
    let done = work.done.load(Ordering::Relaxed);
    println!(
        "proof: {done} operations in {seconds} s, {} a second",
        done / seconds
    );
    Ok(told)
}

/// The database as it is at this moment: an order that fills during the look changes nothing in it.
async fn snapshot(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let mut snapshot = pool.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only")
        .execute(&mut *snapshot)
        .await?;
    Ok(snapshot)
}

/// A few members are shown what their account row says.
async fn shown(
    pool: &PgPool,
    inside: &Inside,
    seed: u64,
    first_member: u64,
    members: u64,
) -> anyhow::Result<Vec<String>> {
    let mut dice = Dice::new(seed);
    let mut faults = Vec::new();
    for _ in 0..20 {
        let member_id = i64::try_from(first_member + dice.below(members))?;
        let mut same = false;
        // A fill between the two looks is no difference.
        for _ in 0..10 {
            let kept: Option<i64> = sqlx::query_scalar(
                "select balance_won from account where member_id = $1 and code = '00'",
            )
            .bind(member_id)
            .fetch_optional(pool)
            .await?;
            same = kept.is_none() || inside.deposit_won(member_id).await == kept;
            if same {
                break;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        if !same {
            faults.push(format!(
                "member {member_id} is shown another deposit than is kept"
            ));
        }
    }
    Ok(faults)
}

/// The database may just be coming back. Looking at everything takes longer than a statement of a
/// service may, and so does thinking about it in between.
async fn connect(url: &SecretString) -> anyhow::Result<PgPool> {
    let mut tries = 0;
    loop {
        match bootstrap::database::connect(url, 2).await {
            Ok((pool, _)) => {
                let options = pool.connect_options().as_ref().clone();
                let patient = options.options([
                    ("statement_timeout", "10min"),
                    ("idle_in_transaction_session_timeout", "10min"),
                ]);
                let patient = PgPoolOptions::new()
                    .max_connections(2)
                    .connect_with(patient);
                return Ok(patient.await?);
            }
            Err(error) if tries < 60 => {
                tries += 1;
                tracing::warn!(%error, "The database is not there yet");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
