//! Load that allows no failure: members over HTTP and watchers of prices, first as fast as the
//! product goes, then at half of that, while whoever called this replaces processes. A request
//! that fails is not asked again; it is counted.

mod member;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use parking_lot::Mutex;
use reqwest::StatusCode;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::dice::Dice;
use crate::phone::Phone;
use crate::prices;
use member::{Member, Sessions};

const CODES: [&str; 4] = ["005930", "000660", "035420", "069500"];
/// Longest that a watcher may be without a price after its socket was closed.
const AWAY_MOST: Duration = Duration::from_secs(3);

/// What to load, and how long.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Arguments {
    /// The gateway, as members reach it.
    #[arg(long, env = "PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    public_origin: String,
    /// The sise edge, as members reach it.
    #[arg(long, env = "SISE_ORIGIN", default_value = "http://localhost:8081")]
    sise_origin: String,
    /// Members at a time.
    #[arg(long, env = "STEADY_PHONES", default_value_t = 24)]
    phones: u64,
    /// Sockets that watch prices.
    #[arg(long, env = "STEADY_WATCHERS", default_value_t = 8)]
    watchers: u64,
    /// Seconds of finding out how fast the product goes.
    #[arg(long, env = "STEADY_PEAK_S", default_value_t = 6)]
    peak_s: u64,
    /// The load ends when this file is there.
    #[arg(long, env = "STEADY_UNTIL")]
    until: std::path::PathBuf,
    /// Where the random numbers begin.
    #[arg(long, env = "PROOF_SEED", default_value_t = 1)]
    seed: u64,
}

/// What was counted.
#[derive(Default)]
struct Tally {
    requests: AtomicU64,
    slowest_ms: AtomicU64,
    failed: Mutex<Vec<String>>,
}

impl Tally {
    fn note(&self, what: &str, started: Instant, answer: &reqwest::Result<(StatusCode, Value)>) {
        self.count(what, started, member::trouble(answer));
    }

    fn count(&self, what: &str, started: Instant, trouble: Option<String>) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.slowest_ms.fetch_max(took_ms, Ordering::Relaxed);
        if let Some(trouble) = trouble {
            println!("failed after {took_ms} ms: {what}: {trouble}");
            self.failed.lock().push(trouble);
        }
    }
}

/// Loads the product until the file appears.
pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let mut joining = JoinSet::new();
    for index in 0..arguments.phones {
        let (origin, seed) = (arguments.public_origin.clone(), arguments.seed);
        joining.spawn(async move { Phone::join(&origin, seed, index).await });
    }
    let mut members = Vec::new();
    while let Some(phone) = joining.join_next().await {
        members.push(Arc::new(Member::with(phone??).await));
    }

    let peak = Arc::new(Tally::default());
    let peak_for = Duration::from_secs(arguments.peak_s.max(1));
    let (_never, goes_on) = watch::channel(false);
    load(
        &members,
        arguments.seed,
        None,
        &peak,
        goes_on,
        Some(peak_for),
    )
    .await?;
    let per_second = peak.requests.load(Ordering::Relaxed) / peak_for.as_secs();
    println!(
        "steady: at most {per_second} requests a second, {} failed",
        peak.failed.lock().len()
    );

    let before = Sessions::of(&members);
    let half = (per_second / 2).max(1);
    let every = Duration::from_micros(1_000_000 * arguments.phones / half);
    let (over, is_over) = watch::channel(false);
    let codes: Vec<String> = CODES.map(str::to_owned).into();
    let mut watchers = JoinSet::new();
    for _ in 0..arguments.watchers {
        let (origin, codes, is_over) = (
            arguments.sise_origin.clone(),
            codes.clone(),
            is_over.clone(),
        );
        watchers.spawn(async move { prices::watch(&origin, &codes, is_over).await });
    }
    println!("steady: begun with {half} requests a second");
    let started = Instant::now();
    let tally = Arc::new(Tally::default());
    let until = arguments.until.clone();
    let ends = tokio::spawn(async move {
        while !until.exists() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        over.send(true)
    });
    load(
        &members,
        arguments.seed + 1,
        Some(every),
        &tally,
        is_over,
        None,
    )
    .await?;
    let _heard = ends.await.context("the end was not seen")?;
    let failed = tally.failed.lock().len();
    println!(
        "steady: {} requests in {} s, {failed} failed, the slowest took {} ms",
        tally.requests.load(Ordering::Relaxed),
        started.elapsed().as_secs(),
        tally.slowest_ms.load(Ordering::Relaxed)
    );
    let mut faults = failed;
    while let Some(watched) = watchers.join_next().await {
        let watched = watched.context("a watcher broke")?;
        println!(
            "steady: {} prices over {} connections, at most {} ms without one after a close, {} faults",
            watched.values,
            watched.connections,
            watched.longest_away.as_millis(),
            watched.faults.len()
        );
        faults += watched.faults.len() + usize::from(watched.longest_away > AWAY_MOST);
    }
    let sessions = Sessions::of(&members).since(before);
    println!("steady: {sessions}");
    if faults > 0 || sessions.lost > 0 {
        bail!(
            "{faults} requests or watchers and {} renewals failed",
            sessions.lost
        );
    }
    Ok(())
}

/// All members at work, each as fast as it is answered or once in `every`.
async fn load(
    members: &[Arc<Member>],
    seed: u64,
    every: Option<Duration>,
    tally: &Arc<Tally>,
    is_over: watch::Receiver<bool>,
    lasts: Option<Duration>,
) -> anyhow::Result<()> {
    let mut workers = JoinSet::new();
    for (index, member) in members.iter().enumerate() {
        let (member, tally, is_over) = (Arc::clone(member), Arc::clone(tally), is_over.clone());
        let mut dice = Dice::new(seed.wrapping_mul(1_000).wrapping_add(u64::try_from(index)?));
        workers.spawn(async move {
            let began = Instant::now();
            let mut due = every.map(tokio::time::interval);
            while !*is_over.borrow() && lasts.is_none_or(|lasts| began.elapsed() < lasts) {
                if let Some(due) = &mut due {
                    due.tick().await;
                }
                member.act(&mut dice, &tally).await;
            }
        });
    }
    while let Some(worker) = workers.join_next().await {
        worker.context("a member broke")?;
    }
    Ok(())
}
