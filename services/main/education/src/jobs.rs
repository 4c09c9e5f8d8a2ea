//! Work without a request: unfinished repairs, then days that are due to be judged.

use std::time::Duration;

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

/// One round.
///
/// # Errors
/// When the database fails.
pub async fn work(
    store: &Store,
    repairs: &Repairs,
    shutdown: &CancellationToken,
) -> Result<(), StudyError> {
    for (member, day) in store.noted_repairs(BATCH).await? {
        match repairs.pay(member, day).await {
            Ok(()) => tracing::info!(%member, %day, "Finished a streak repair"),
            Err(StudyError::Payment(_)) => {}
            Err(error) => return Err(error),
        }
    }
    loop {
        let members = store.members_to_judge(BATCH).await?;
        if members.is_empty() {
            return Ok(());
        }
        for member in members {
            if shutdown.is_cancelled() {
                return Ok(());
            }
            store.judge_member(member).await?;
        }
    }
}
