//! Work without a request: old rows, unfinished repairs, then days that are due to be judged and streaks
//! that end tonight.

use std::pin::pin;
use std::time::{Duration, Instant};

use bootstrap::database::{KEEPALIVE_SETTINGS, Outage};
use chrono::TimeDelta;
use futures_util::{StreamExt, stream};
use kernel::MemberId;
use sqlx::{ConnectOptions, Connection, PgPool};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

use crate::error::StudyError;
use crate::repair::Repairs;
use crate::store::Store;

const INTERVAL: Duration = Duration::from_secs(10);
const MEMBERS_PER_ROUND: i64 = 500;
/// Slices of members in one round whose streaks may end tonight: ten thousand members.
const SLICES_AT_RISK: usize = 20;
/// Members who are judged at once: half of the pool.
const CONCURRENT_MEMBERS: usize = 2;
/// Longer than the database waits for anything: a connection that is half open never answers.
const ROUND_TIMEOUT: Duration = Duration::from_secs(15);
/// "stud" in ASCII; held by the process that works.
const LEADER_LOCK: i64 = 0x7374_7564;

/// Works every ten seconds until `shutdown`, in one process at a time.
pub async fn run(pool: PgPool, store: Store, repairs: Repairs, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        note_backlog(&store).await;
        let round = work_alone(&pool, &store, &repairs, &shutdown);
        if let Err(error) = round.await {
            tracing::warn!(?error, "Streaks could not be judged");
        }
    }
}

/// Does nothing while another process works. The work is idempotent, so the lock only saves effort. Its
/// connection is none of the pool, which answers members meanwhile.
async fn work_alone(
    pool: &PgPool,
    store: &Store,
    repairs: &Repairs,
    shutdown: &CancellationToken,
) -> Result<(), StudyError> {
    let mut leader = pool.connect_options().connect().await?;
    sqlx::raw_sql(KEEPALIVE_SETTINGS)
        .execute(&mut leader)
        .await?;
    let is_leader: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(LEADER_LOCK)
        .fetch_one(&mut leader)
        .await?;
    if !is_leader {
        return Ok(leader.close().await?);
    }
    let worked = work(store, repairs, shutdown).await;
    leader.close().await?;
    worked
}

/// One round. What fails for one member delays nobody else.
///
/// # Errors
/// When the database is away.
pub async fn work(
    store: &Store,
    repairs: &Repairs,
    shutdown: &CancellationToken,
) -> Result<(), StudyError> {
    let begun = Instant::now();
    while store.forget_events().await? {
        if begun.elapsed() > INTERVAL || shutdown.is_cancelled() {
            break;
        }
    }
    let mut failed = Vec::new();
    loop {
        note_backlog(store).await;
        // Between the batches too: at noon the days of all members are due.
        finish_repairs(store, repairs, shutdown).await?;
        let members = store.members_to_judge(MEMBERS_PER_ROUND, &failed).await?;
        if members.is_empty() || shutdown.is_cancelled() {
            break;
        }
        let judged = stream::iter(members).map(async |member| {
            if shutdown.is_cancelled() {
                return (member, Ok(()));
            }
            let judging = tokio::time::timeout(ROUND_TIMEOUT, store.judge_member(member));
            let judged = judging.await;
            (
                member,
                judged.unwrap_or(Err(sqlx::Error::PoolTimedOut.into())),
            )
        });
        let mut judged = pin!(judged.buffer_unordered(CONCURRENT_MEMBERS));
        while let Some((member, outcome)) = judged.next().await {
            if let Err(error) = outcome {
                pass_over(member, error)?;
                failed.push(member);
            }
        }
    }
    // The next round goes on with those that nobody looked at.
    for _slice in 0..SLICES_AT_RISK {
        if shutdown.is_cancelled() || store.tell_streaks_at_risk().await? == 0 {
            break;
        }
    }
    Ok(())
}

async fn finish_repairs(
    store: &Store,
    repairs: &Repairs,
    shutdown: &CancellationToken,
) -> Result<(), StudyError> {
    for (member, noted) in store.noted_repairs(MEMBERS_PER_ROUND).await? {
        match repairs.pay(member, noted).await {
            Ok(()) => tracing::info!(%member, day = %noted.day, "Finished a streak repair"),
            // Trading is away, and would hold up the days of all others.
            Err(StudyError::Payment(status)) if is_away(&status) => break,
            Err(StudyError::Payment(_)) => {}
            Err(error) => pass_over(member, error)?,
        }
        if shutdown.is_cancelled() {
            break;
        }
    }
    Ok(())
}

/// As opposed to what may be a matter of one member.
fn is_away(status: &Status) -> bool {
    // tonic reports its own timeout as CANCELLED.
    matches!(
        status.code(),
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled
    )
}

async fn note_backlog(store: &Store) {
    if let Ok(backlog) = store.backlog().await {
        metrics::gauge!("education_day_late_seconds").set(seconds(backlog.day));
        metrics::gauge!("education_repair_late_seconds").set(seconds(backlog.repair));
    }
}

fn seconds(span: TimeDelta) -> f64 {
    f64::from(u32::try_from(span.num_seconds()).unwrap_or(u32::MAX))
}

/// A lock or a deadlock is a matter of one member.
fn pass_over(member: MemberId, error: StudyError) -> Result<(), StudyError> {
    if let StudyError::Database(source) = &error
        && source.is_outage()
    {
        return Err(error);
    }
    tracing::error!(%member, ?error, "The streak of a member failed; the next round tries again");
    Ok(())
}
