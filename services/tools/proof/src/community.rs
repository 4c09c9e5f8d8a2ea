//! Members write, change, delete, like, block, follow, report and read at once over gRPC, while the
//! caller kills the community, its servers and its file store. Each call is retried until it has a
//! response, and all responses make one model. In the end the rows must be what the model says,
//! every counter the number of its rows, and nothing of what was deleted may be seen.

mod acts;
mod api;
mod check;
mod counters;
mod member;
mod model;
mod pictures;
mod races;
mod reading;
mod relations;
mod seen;
mod writing;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Parser;
use parking_lot::Mutex;
use secrecy::SecretString;
use sqlx::PgPool;
use tokio::task::JoinSet;

use crate::workload::Workload;
use api::Api;
use member::Member;
use model::Model;

#[derive(Clone, Debug, Parser)]
pub(crate) struct Arguments {
    #[arg(long, env = "COMMUNITY_URL", default_value = "http://127.0.0.1:9106")]
    community_url: String,
    /// The community's database, for the checks.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: SecretString,
    /// Operations of all members together.
    #[arg(long, env = "PROOF_OPERATIONS", default_value_t = 20_000)]
    operations: u64,
    /// Members, each of whom does one thing after another.
    #[arg(long, env = "PROOF_MEMBERS", default_value_t = 200)]
    members: u64,
    /// Seed of the random numbers.
    #[arg(long, env = "PROOF_SEED", default_value_t = 1)]
    seed: u64,
    /// Ends the load after this many seconds even if operations remain.
    #[arg(long, env = "PROOF_SECONDS_MAX", default_value_t = 3_600)]
    seconds_max: u64,
    /// Ends the load when this file exists, even if operations remain.
    #[arg(long, env = "PROOF_UNTIL")]
    until: Option<PathBuf>,
    /// Seconds that one operation is retried without a response.
    #[arg(long, env = "PROOF_TIMEOUT_S", default_value_t = 180)]
    timeout_s: u64,
}

/// What one member did.
#[derive(Default)]
pub(crate) struct Acted {
    /// Done and refused, by what it was.
    counts: BTreeMap<&'static str, (u64, u64)>,
    repeated: u64,
    faults: Vec<String>,
}

/// Below the students, and above the members of the orders; each seed has a range of its own.
const FIRST_MEMBER: u64 = 2_000_000_000_000;
const SHOWN: usize = 100;
/// Allows for a relay that was killed.
const OUTBOX_TIMEOUT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(500);

pub(crate) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { seed, members, .. } = arguments;
    let operations = arguments.operations;
    println!("proof: seed {seed}, {operations} operations of {members} members");
    let first = FIRST_MEMBER + seed % 1_000_000 * 1_000_000;
    let members: Vec<i64> = (first..first + members)
        .map(i64::try_from)
        .collect::<Result<_, _>>()?;
    let timeout = Duration::from_secs(arguments.timeout_s);
    let api = Api::new(&arguments.community_url, timeout)?;
    let model = Arc::new(Mutex::new(Model::default()));
    let workload = Workload::new(operations, Duration::from_secs(arguments.seconds_max));
    let workload = Arc::new(workload);
    let pool = crate::connect(&arguments.database_url).await?;
    join(&pool, &members).await?;
    println!("proof: started");
    let mut tasks = JoinSet::new();
    for id in &members {
        let member = Member::new((*id, &members), seed, api.clone(), Arc::clone(&model));
        tasks.spawn(member.run(Arc::clone(&workload)));
    }
    let mut acted = Acted::default();
    for one in workload.finish(tasks, arguments.until.as_deref()).await? {
        acted.add(one);
    }
    for (name, (done, refused)) in &acted.counts {
        println!("members: {name} {done} done, {refused} refused");
    }
    let (failed, internal) = (api.retries().failed(), api.retries().internal());
    println!(
        "members: {} repeats, {failed} calls retried without a response, {} responses against the model",
        acted.repeated,
        acted.faults.len()
    );
    let mut faults = acted.faults;
    if internal > 0 {
        faults.push(format!("{internal} calls failed with INTERNAL"));
    }
    faults.extend(wait_for_outbox(&pool).await?);
    let model = std::mem::take(&mut *model.lock());
    let mut snapshot = crate::begin_snapshot(&pool).await?;
    let rows = check::Rows::read(&mut snapshot, &members).await?;
    drop(snapshot);
    faults.extend(check::check(&model, &rows));
    faults.extend(counters::check(&rows, &members));
    faults.extend(seen::check(&api, &model, &rows, &members).await?);
    for fault in faults.iter().take(SHOWN) {
        println!("fault: {fault}");
    }
    println!("proof: seed {seed}, {} faults", faults.len());
    if !faults.is_empty() {
        bail!("the proof has failed");
    }
    Ok(())
}

/// As if auth had told of them long ago: reports of new members hide nothing.
async fn join(pool: &PgPool, members: &[i64]) -> anyhow::Result<()> {
    sqlx::query(
        "insert into member (member_id, joined_at) \
         select id, now() - interval '1 year' from unnest($1::bigint[]) id on conflict do nothing",
    )
    .bind(members)
    .execute(pool)
    .await?;
    Ok(())
}

/// Every event is sent, and none waits for a queue.
async fn wait_for_outbox(pool: &PgPool) -> anyhow::Result<Option<String>> {
    let began = Instant::now();
    loop {
        let left: i64 = sqlx::query_scalar("select count(*) from outbox")
            .fetch_one(pool)
            .await?;
        if left == 0 {
            println!("waited: {} ms for the outbox", began.elapsed().as_millis());
            return Ok(None);
        }
        if began.elapsed() > OUTBOX_TIMEOUT {
            return Ok(Some(format!("{left} events are still in the outbox")));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

impl Acted {
    fn add(&mut self, other: Self) {
        for (name, (done, refused)) in other.counts {
            let count = self.counts.entry(name).or_default();
            *count = (count.0 + done, count.1 + refused);
        }
        self.repeated += other.repeated;
        self.faults.extend(other.faults);
    }

    fn count(&mut self, name: &'static str, is_done: bool) {
        let (done, refused) = self.counts.entry(name).or_default();
        if is_done {
            *done += 1;
        } else {
            *refused += 1;
        }
    }

    /// Also prints the fault at once.
    fn record_fault(&mut self, fault: String) {
        println!("fault: {fault}");
        self.faults.push(fault);
    }
}
