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

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Parser;
use kernel::{Clock, SystemClock};
use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgPool, Postgres, Transaction};
use telemetry::LogFormat;
use tokio::sync::watch;
use tokio::task::JoinSet;
use trading::audit;

use crate::acts::competitions::Events;
use crate::acts::products::Products;
use crate::arguments::Arguments;
use crate::client::Client;
use crate::phone::Phone;
use crate::results::Results;
use crate::rng::Rng;
use crate::splits::Splits;
use crate::students::{Studied, Worker};
use crate::trading_client::TradingClient;
use crate::transport::Transport;
use crate::workload::Workload;

/// Above the ids of members who join; each seed has a range of its own.
const FIRST_MEMBER: u64 = 1_000_000_000_000;

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
        Command::Orders(arguments) => orders(*arguments).await,
        Command::Community(arguments) => community::run(arguments).await,
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
    ensure!(
        arguments.clients * transport::ACTING_MEMBERS <= arguments.members,
        "too few members: each client moves the money of {} alone",
        transport::ACTING_MEMBERS
    );
    let mut phones = JoinSet::new();
    for index in 0..arguments.phones.min(arguments.clients) {
        let (origin, seed) = (arguments.public_origin.clone(), arguments.seed);
        phones.spawn(async move { Phone::join(&origin, seed, index).await });
    }
    let mut transports = Vec::new();
    let mut members = Vec::new();
    while let Some(phone) = phones.join_next().await {
        let phone = phone??;
        members.push(phone.member_id());
        transports.push(Transport::Http(Box::new(phone)));
    }
    let trading = TradingClient::new(&arguments.trading_url)?;
    for member in first_member..first_member + arguments.members {
        members.push(i64::try_from(member)?);
    }
    let phones = u64::try_from(transports.len())?;
    let first_competing = first_member + arguments.members;
    let competing = arguments.clients.saturating_sub(phones) * transport::COMPETING_MEMBERS;
    for member in first_competing..first_competing + competing {
        members.push(i64::try_from(member)?);
    }
    while u64::try_from(transports.len())? < arguments.clients {
        let index = u64::try_from(transports.len())? - phones;
        transports.push(Transport::Grpc {
            client: Box::new(TradingClient::new(&arguments.trading_url)?),
            first_member,
            members: arguments.members,
            first_acting: first_member + index * transport::ACTING_MEMBERS,
            first_competing: first_competing + index * transport::COMPETING_MEMBERS,
        });
    }

    let products = acts::products::read(&arguments.public_origin).await?;
    let events = Events::read(&trading, i64::try_from(first_member)?).await?;
    let clients = place_resting(&arguments, transports, (&products, &events)).await?;
    let sold_before = acts::shop::limit_stock(&connect(&arguments.database_url).await?).await?;
    println!("proof: started");
    let began = SystemClock.now();
    let (over, is_over) = watch::channel(false);
    let mut watchers = JoinSet::new();
    for _ in 0..arguments.watchers {
        let (origin, codes) = (arguments.sise_origin.clone(), arguments.codes.clone());
        let is_over = is_over.clone();
        watchers.spawn(async move { prices::watch(&origin, &codes, is_over).await });
    }
    let students = spawn_students(&arguments, &is_over)?;
    let mut results = run_clients(&arguments, clients).await?;
    results.acts.sold_before = sold_before;
    println!("{results}");

    let mut faults = std::mem::take(&mut results.faults);
    let ended = SystemClock.now();
    faults.extend(candles::check(&arguments.public_origin, &arguments.codes, began, ended).await?);
    let _sent = over.send(true);
    while let Some(watched) = watchers.join_next().await {
        let watched = watched.context("a watcher panicked")?;
        println!(
            "checked: {} prices over {} connections, at most {} ms without prices after a cut, {} faults",
            watched.values,
            watched.connections,
            watched.longest_gap.as_millis(),
            watched.faults.len()
        );
        faults.extend(watched.faults.into_iter().take(20));
    }

    let studied = students.join_all().await;
    let pool = connect(&arguments.database_url).await?;
    if let Some(url) = &arguments.education_database_url {
        let education = connect(url).await?;
        faults.extend(students::check(&education, &pool, studied).await?);
        faults.extend(acts::check::delivered(&pool, &education, &results.acts).await?);
    }
    faults.extend(caught_up::wait(&pool, arguments.amqp_url.expose_secret()).await?);
    let mut snapshot = begin_snapshot(&pool).await?;
    faults.extend(responses::check(&mut snapshot, &results, &members).await?);
    faults.extend(books::check(&mut snapshot, &members, &arguments.splits).await?);
    faults.extend(acts::check::check(&mut snapshot, &results.acts).await?);
    let competing = acts::check::competing_orders(&mut snapshot, &results.competing, &members);
    faults.extend(competing.await?);
    faults.extend(identity::check(&mut snapshot).await?);
    if arguments.close_at.is_some() {
        faults.extend(responses::closed(&mut snapshot, &members).await?);
    }
    drop(snapshot);
    faults.extend(
        check_shown_deposits(
            &pool,
            &trading,
            arguments.seed,
            first_member,
            arguments.members,
        )
        .await?,
    );
    if !arguments.moves.is_empty() {
        let amqp_url = arguments.amqp_url.expose_secret();
        faults.extend(moved::run(&pool, amqp_url, &arguments.moves).await?);
        let mut snapshot = begin_snapshot(&pool).await?;
        faults.extend(books::check(&mut snapshot, &members, &arguments.splits).await?);
        faults.extend(acts::check::whole_ledger(&mut snapshot).await?);
    }
    // The relay was killed too; events that it is still sending are not late.
    let report = audit::run(&pool, 120).await?;
    println!("{report}");
    let total = faults.len() + report.findings.len() + results.unresolved.len();
    for fault in faults.iter().take(100) {
        println!("fault: {fault}");
    }
    for unresolved in &results.unresolved {
        println!("no response: {unresolved}");
    }
    println!("proof: seed {}, {total} faults", arguments.seed);
    if total > 0 {
        bail!("the proof has failed");
    }
    Ok(())
}

fn spawn_students(
    arguments: &Arguments,
    over: &watch::Receiver<bool>,
) -> anyhow::Result<JoinSet<Studied>> {
    let timeout = Duration::from_secs(arguments.timeout_s);
    let mut students = JoinSet::new();
    if arguments.education_database_url.is_none() {
        return Ok(students);
    }
    for index in 0..arguments.students {
        let worker = Worker::new(
            &arguments.education_url,
            &arguments.trading_url,
            arguments.seed,
            index,
            timeout,
        )?;
        students.spawn(worker.run(over.clone()));
    }
    Ok(students)
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

/// The gRPC clients place the open orders.
async fn place_resting(
    arguments: &Arguments,
    transports: Vec<Transport>,
    (products, events): (&Products, &Events),
) -> anyhow::Result<Vec<Client>> {
    let grpc_clients = transports
        .iter()
        .filter(|transport| matches!(transport, Transport::Grpc { .. }))
        .count();
    let each = arguments
        .resting
        .div_ceil(u64::try_from(grpc_clients)?.max(1));
    let mut resting = JoinSet::new();
    for (index, transport) in transports.into_iter().enumerate() {
        let mut client = Client::new(
            arguments,
            u64::try_from(index)?,
            transport,
            (Arc::clone(products), events.clone()),
        );
        resting.spawn(async move {
            if matches!(client.transport, Transport::Grpc { .. }) {
                client.place_resting(each).await;
            }
            client
        });
    }
    let clients = resting.join_all().await;
    let placed: u64 = clients.iter().map(|client| client.results.placed).sum();
    println!("proof: {placed} open orders placed");
    Ok(clients)
}

async fn run_clients(arguments: &Arguments, all: Vec<Client>) -> anyhow::Result<Results> {
    let lasts = Duration::from_secs(arguments.seconds_max);
    let workload = Workload::new(arguments.operations, lasts).closing_at(arguments.close_at);
    let workload = Arc::new(workload);
    let mut clients = JoinSet::new();
    for client in all {
        clients.spawn(client.run(Arc::clone(&workload)));
    }
    let mut results = Results::default();
    for one in workload.finish(clients, arguments.until.as_deref()).await? {
        results.add(one);
    }
    Ok(results)
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

/// Twenty random members must be shown the balance of their account row.
async fn check_shown_deposits(
    pool: &PgPool,
    trading: &TradingClient,
    seed: u64,
    first_member: u64,
    members: u64,
) -> anyhow::Result<Vec<String>> {
    let mut rng = Rng::new(seed);
    let mut faults = Vec::new();
    for _ in 0..20 {
        let member_id = i64::try_from(first_member + rng.below(members))?;
        let mut same = false;
        // A fill may come between the two reads.
        for _ in 0..10 {
            let stored: Option<i64> = sqlx::query_scalar(
                "select b.amount from account a join balance b on b.account_id = a.id and b.asset = 'KRW' \
                 where a.member_id = $1 and a.code = '00'",
            )
            .bind(member_id)
            .fetch_optional(pool)
            .await?;
            same = stored.is_none() || trading.deposit_won(member_id).await == stored;
            if same {
                break;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        if !same {
            faults.push(format!(
                "member {member_id} is shown another deposit than the stored one"
            ));
        }
    }
    Ok(faults)
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
