//! Load that allows no failure: members over HTTP and price watchers, first closed-loop to find
//! the peak rate, then at half of it while the caller replaces processes. A failed request is not
//! retried; it is counted.

mod member;

use std::path::PathBuf;
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

use crate::phone::Phone;
use crate::prices::{self, WatchResult};
use crate::rng::Rng;
use member::{Member, SessionCounts};

const CODES: [&str; 4] = ["005930", "000660", "035420", "069500"];
/// Longest time that a watcher may be without prices after its socket was closed.
const GAP_MAX: Duration = Duration::from_secs(3);

#[derive(Clone, Debug, Parser)]
pub(crate) struct Arguments {
    /// Public origin of the gateway.
    #[arg(long, env = "PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    public_origin: String,
    /// Public origin of the edge.
    #[arg(long, env = "SISE_ORIGIN", default_value = "http://localhost:8081")]
    sise_origin: String,
    /// Concurrent members.
    #[arg(long, env = "STEADY_PHONES", default_value_t = 24)]
    phones: u64,
    /// Sockets that subscribe to prices.
    #[arg(long, env = "STEADY_WATCHERS", default_value_t = 8)]
    watchers: u64,
    /// Seconds of the closed-loop measurement of the peak rate.
    #[arg(long, env = "STEADY_PEAK_S", default_value_t = 6)]
    peak_s: u64,
    /// The load ends when this file exists.
    #[arg(long, env = "STEADY_UNTIL")]
    until: PathBuf,
    /// Seed of the random numbers.
    #[arg(long, env = "PROOF_SEED", default_value_t = 1)]
    seed: u64,
}

#[derive(Default)]
struct RequestStats {
    requests: AtomicU64,
    slowest_ms: AtomicU64,
    failed: Mutex<Vec<String>>,
}

impl RequestStats {
    fn record_response(
        &self,
        what: &str,
        started: Instant,
        response: &reqwest::Result<(StatusCode, Value)>,
    ) {
        self.record(what, started, member::failure(response));
    }

    fn record(&self, what: &str, started: Instant, failure: Option<String>) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.slowest_ms.fetch_max(took_ms, Ordering::Relaxed);
        if let Some(failure) = failure {
            println!("failed after {took_ms} ms: {what}: {failure}");
            self.failed.lock().push(failure);
        }
    }
}

/// Runs the load until the file `until` exists.
pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let members = join(&arguments).await?;
    let per_second = measure_peak(&arguments, &members).await?;
    let before = SessionCounts::of(&members);
    let half = (per_second / 2).max(1);
    let every = Duration::from_micros(1_000_000 * arguments.phones / half);
    let (over, is_over) = watch::channel(false);
    let codes: Vec<String> = CODES.map(str::to_owned).into();
    let (origin, count) = (&arguments.sise_origin, arguments.watchers);
    let watchers = prices::spawn_watchers(count, origin, &codes, &is_over);
    println!("steady: started with {half} requests a second");
    let started = Instant::now();
    let stats = Arc::new(RequestStats::default());
    let ends = tokio::spawn(end_when_exists(arguments.until, over));
    load(
        &members,
        arguments.seed + 1,
        Some(every),
        &stats,
        is_over,
        None,
    )
    .await?;
    ends.await.context("the task that ends the load panicked")?;
    let failed = stats.failed.lock().len();
    println!(
        "steady: {} requests in {} s, {failed} failed, the slowest took {} ms",
        stats.requests.load(Ordering::Relaxed),
        started.elapsed().as_secs(),
        stats.slowest_ms.load(Ordering::Relaxed)
    );
    let faults = failed + check_watchers(watchers).await?;
    let sessions = SessionCounts::of(&members).since(before);
    println!("steady: {sessions}");
    if faults > 0 || sessions.failed > 0 {
        bail!(
            "{faults} requests or watchers and {} renewals failed",
            sessions.failed
        );
    }
    Ok(())
}

async fn join(arguments: &Arguments) -> anyhow::Result<Vec<Arc<Member>>> {
    let mut joining = JoinSet::new();
    for index in 0..arguments.phones {
        let (origin, seed) = (arguments.public_origin.clone(), arguments.seed);
        joining.spawn(async move { Phone::join(&origin, seed, index).await });
    }
    let mut members = Vec::new();
    while let Some(phone) = joining.join_next().await {
        members.push(Arc::new(Member::with(phone??).await));
    }
    Ok(members)
}

/// Requests a second of the closed loop.
async fn measure_peak(arguments: &Arguments, members: &[Arc<Member>]) -> anyhow::Result<u64> {
    let peak = Arc::new(RequestStats::default());
    let peak_for = Duration::from_secs(arguments.peak_s.max(1));
    let (_never, is_not_over) = watch::channel(false);
    load(
        members,
        arguments.seed,
        None,
        &peak,
        is_not_over,
        Some(peak_for),
    )
    .await?;
    let per_second = peak.requests.load(Ordering::Relaxed) / peak_for.as_secs();
    println!(
        "steady: peak {per_second} requests a second, {} failed",
        peak.failed.lock().len()
    );
    Ok(per_second)
}

async fn end_when_exists(until: PathBuf, over: watch::Sender<bool>) {
    while !until.exists() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // Without receivers the load has ended already.
    let _sent = over.send(true);
}

/// Faults of the watchers, and those that were without prices for too long.
async fn check_watchers(mut watchers: JoinSet<WatchResult>) -> anyhow::Result<usize> {
    let mut faults = 0;
    while let Some(watched) = watchers.join_next().await {
        let watched = watched.context("a watcher panicked")?;
        println!(
            "steady: {} prices over {} connections, at most {} ms without prices after a close, {} faults",
            watched.values,
            watched.connections,
            watched.longest_gap.as_millis(),
            watched.faults.len()
        );
        faults += watched.faults.len() + usize::from(watched.longest_gap > GAP_MAX);
    }
    Ok(faults)
}

/// Runs all members: each sends a request every `every`, or closed-loop without it.
async fn load(
    members: &[Arc<Member>],
    seed: u64,
    every: Option<Duration>,
    stats: &Arc<RequestStats>,
    is_over: watch::Receiver<bool>,
    lasts: Option<Duration>,
) -> anyhow::Result<()> {
    let mut workers = JoinSet::new();
    for (index, member) in members.iter().enumerate() {
        let (member, stats, is_over) = (Arc::clone(member), Arc::clone(stats), is_over.clone());
        let mut rng = Rng::new(seed.wrapping_mul(1_000).wrapping_add(u64::try_from(index)?));
        workers.spawn(async move {
            let began = Instant::now();
            let mut due = every.map(tokio::time::interval);
            while !*is_over.borrow() && lasts.is_none_or(|lasts| began.elapsed() < lasts) {
                if let Some(due) = &mut due {
                    due.tick().await;
                }
                member.send_request(&mut rng, &stats).await;
            }
        });
    }
    while let Some(worker) = workers.join_next().await {
        worker.context("a member panicked")?;
    }
    Ok(())
}
