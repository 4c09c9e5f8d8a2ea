//! Work without a request: old rows, unfinished repairs, then days that are due to be judged.

use std::time::{Duration, Instant};

use kernel::MemberId;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::error::StudyError;
use crate::repair::Repairs;
use crate::store::Store;

const INTERVAL: Duration = Duration::from_secs(10);
/// Members in one round.
const BATCH: i64 = 500;
/// "stud" in ASCII; held by the process that works.
const LEADER_LOCK: i64 = 0x7374_7564;

/// Works every ten seconds until `shutdown`, in one process at a time.
pub async fn run(pool: PgPool, store: Store, repairs: Repairs, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        let round = work_alone(&pool, &store, &repairs, &shutdown);
        if let Err(error) = round.await {
            tracing::warn!(?error, "Streaks could not be judged");
        }
    }
}

/// Does nothing while another process works. The work is idempotent, so the lock only saves effort.
async fn work_alone(
    pool: &PgPool,
    store: &Store,
    repairs: &Repairs,
    shutdown: &CancellationToken,
) -> Result<(), StudyError> {
    let mut leader = pool.acquire().await?;
    let is_leader: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(LEADER_LOCK)
        .fetch_one(&mut *leader)
        .await?;
    if !is_leader {
        return Ok(());
    }
    let worked = work(store, repairs, shutdown).await;
    sqlx::query("select pg_advisory_unlock($1)")
        .bind(LEADER_LOCK)
        .execute(&mut *leader)
        .await?;
    worked
}

/// One round. What fails for one member delays nobody else.
///
/// # Errors
/// When the database fails.
pub async fn work(
    store: &Store,
    repairs: &Repairs,
    shutdown: &CancellationToken,
) -> Result<(), StudyError> {
    let begun = Instant::now();
    store.forget_events().await?;
    for (member, day) in store.noted_repairs(BATCH).await? {
        match repairs.pay(member, day).await {
            Ok(()) => tracing::info!(%member, %day, "Finished a streak repair"),
            Err(StudyError::Payment(_)) => {}
            Err(error) => pass_over(member, error)?,
        }
        // Trading that hangs holds up every payment, and the days of all others.
        if begun.elapsed() > INTERVAL || shutdown.is_cancelled() {
            break;
        }
    }
    let mut failed = Vec::new();
    loop {
        let members = store.members_to_judge(BATCH, &failed).await?;
        if members.is_empty() {
            return Ok(());
        }
        for member in members {
            if shutdown.is_cancelled() {
                return Ok(());
            }
            if let Err(error) = store.judge_member(member).await {
                pass_over(member, error)?;
                failed.push(member);
            }
        }
    }
}

fn pass_over(member: MemberId, error: StudyError) -> Result<(), StudyError> {
    if error.is_outage() {
        return Err(error);
    }
    tracing::error!(%member, ?error, "The streak of a member failed; the next round tries again");
    Ok(())
}
