//! Random orders under faults, then the checks.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use kernel::{Clock, SystemClock};
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio::sync::watch;
use tokio::task::JoinSet;
use trading::audit;

use crate::acts::competitions::Events;
use crate::acts::products::Products;
use crate::arguments::Arguments;
use crate::client::Client;
use crate::phone::Phone;
use crate::prices::{self, WatchResult};
use crate::results::Results;
use crate::rng::Rng;
use crate::students::{self, Studied, Worker};
use crate::trading_client::TradingClient;
use crate::transport::{self, Transport};
use crate::workload::Workload;
use crate::{acts, begin_snapshot, books, candles, caught_up, connect, identity, moved, responses};

/// Above the ids of members who join; each seed has a range of its own.
const FIRST_MEMBER: u64 = 1_000_000_000_000;

pub(crate) async fn run(arguments: &Arguments) -> anyhow::Result<()> {
    println!(
        "proof: seed {}, {} operations, {} clients, {} of them phones",
        arguments.seed, arguments.operations, arguments.clients, arguments.phones
    );
    let trading = TradingClient::new(&arguments.trading_url)?;
    let (transports, members) = connect_clients(arguments).await?;
    let products = acts::products::read(&arguments.public_origin).await?;
    let events = Events::read(&trading, i64::try_from(first_member(arguments))?).await?;
    let clients = place_resting(arguments, transports, (&products, &events)).await?;
    let sold_before = acts::shop::limit_stock(&connect(&arguments.database_url).await?).await?;
    println!("proof: started");
    let began = SystemClock.now();
    let (over, is_over) = watch::channel(false);
    let (origin, codes) = (&arguments.sise_origin, &arguments.codes);
    let watchers = prices::spawn_watchers(arguments.watchers, origin, codes, &is_over);
    let students = spawn_students(arguments, &is_over)?;
    let mut results = run_clients(arguments, clients).await?;
    results.acts.sold_before = sold_before;
    println!("{results}");

    let mut faults = std::mem::take(&mut results.faults);
    let ended = SystemClock.now();
    faults.extend(candles::check(&arguments.public_origin, &arguments.codes, began, ended).await?);
    let _sent = over.send(true);
    faults.extend(check_watchers(watchers).await?);
    let studied = students.join_all().await;
    let pool = connect(&arguments.database_url).await?;
    if let Some(url) = &arguments.education_database_url {
        let education = connect(url).await?;
        faults.extend(students::check(&education, &pool, studied).await?);
        faults.extend(acts::check::delivered(&pool, &education, &results.acts).await?);
    }
    faults.extend(caught_up::wait(&pool, arguments.amqp_url.expose_secret()).await?);
    faults.extend(check_stored(arguments, &pool, &results, &members).await?);
    faults.extend(check_shown_deposits(arguments, &pool, &trading).await?);
    if !arguments.moves.is_empty() {
        faults.extend(check_moved(arguments, &pool, &members).await?);
    }
    conclude(arguments, &pool, &faults, &results.unresolved).await
}

fn first_member(arguments: &Arguments) -> u64 {
    FIRST_MEMBER + arguments.seed.wrapping_mul(1_000_000) % FIRST_MEMBER
}

/// The phones, then the gRPC clients, and all members for whom they act.
async fn connect_clients(arguments: &Arguments) -> anyhow::Result<(Vec<Transport>, Vec<i64>)> {
    ensure!(
        arguments.clients * transport::ACTING_MEMBERS <= arguments.members,
        "too few members: each client moves the money of {} alone",
        transport::ACTING_MEMBERS
    );
    let mut joining = JoinSet::new();
    for index in 0..arguments.phones.min(arguments.clients) {
        let (origin, seed) = (arguments.public_origin.clone(), arguments.seed);
        joining.spawn(async move { Phone::join(&origin, seed, index).await });
    }
    let mut transports = Vec::new();
    let mut members = Vec::new();
    while let Some(phone) = joining.join_next().await {
        let phone = phone??;
        members.push(phone.member_id());
        transports.push(Transport::Http(Box::new(phone)));
    }
    let phones = u64::try_from(transports.len())?;
    let first_member = first_member(arguments);
    let first_competing = first_member + arguments.members;
    let competing = arguments.clients.saturating_sub(phones) * transport::COMPETING_MEMBERS;
    for member in first_member..first_competing + competing {
        members.push(i64::try_from(member)?);
    }
    for index in 0..arguments.clients.saturating_sub(phones) {
        transports.push(Transport::Grpc {
            client: Box::new(TradingClient::new(&arguments.trading_url)?),
            first_member,
            members: arguments.members,
            first_acting: first_member + index * transport::ACTING_MEMBERS,
            first_competing: first_competing + index * transport::COMPETING_MEMBERS,
        });
    }
    Ok((transports, members))
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

async fn check_watchers(mut watchers: JoinSet<WatchResult>) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
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
    Ok(faults)
}

/// What is stored against every response, and the books against each other, at one instant.
async fn check_stored(
    arguments: &Arguments,
    pool: &PgPool,
    results: &Results,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let mut snapshot = begin_snapshot(pool).await?;
    let mut faults = responses::check(&mut snapshot, results, members).await?;
    faults.extend(books::check(&mut snapshot, members, &arguments.splits).await?);
    faults.extend(acts::check::check(&mut snapshot, &results.acts).await?);
    let competing = acts::check::competing_orders(&mut snapshot, &results.competing, members);
    faults.extend(competing.await?);
    faults.extend(identity::check(&mut snapshot).await?);
    if arguments.close_at.is_some() {
        faults.extend(responses::closed(&mut snapshot, members).await?);
    }
    Ok(faults)
}

/// Twenty random members must be shown the balance of their account row.
async fn check_shown_deposits(
    arguments: &Arguments,
    pool: &PgPool,
    trading: &TradingClient,
) -> anyhow::Result<Vec<String>> {
    let mut rng = Rng::new(arguments.seed);
    let mut faults = Vec::new();
    for _ in 0..20 {
        let member_id = i64::try_from(first_member(arguments) + rng.below(arguments.members))?;
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

/// The books again, after market days have moved on.
async fn check_moved(
    arguments: &Arguments,
    pool: &PgPool,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let amqp_url = arguments.amqp_url.expose_secret();
    let mut faults = moved::run(pool, amqp_url, &arguments.moves).await?;
    let mut snapshot = begin_snapshot(pool).await?;
    faults.extend(books::check(&mut snapshot, members, &arguments.splits).await?);
    faults.extend(acts::check::whole_ledger(&mut snapshot).await?);
    Ok(faults)
}

/// Audits, prints everything that was found, and fails if that is anything.
async fn conclude(
    arguments: &Arguments,
    pool: &PgPool,
    faults: &[String],
    unresolved: &[String],
) -> anyhow::Result<()> {
    // The relay was killed too; events that it is still sending are not late.
    let report = audit::run(pool, 120).await?;
    println!("{report}");
    let total = faults.len() + report.findings.len() + unresolved.len();
    for fault in faults.iter().take(100) {
        println!("fault: {fault}");
    }
    for unresolved in unresolved {
        println!("no response: {unresolved}");
    }
    println!("proof: seed {}, {total} faults", arguments.seed);
    if total > 0 {
        bail!("the proof has failed");
    }
    Ok(())
}
