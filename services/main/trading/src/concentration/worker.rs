//! The task that looks at new fills. Every step is stored with what it tells, so any process may go
//! on with it at any time; one does at a time.

use std::time::Duration;

use bootstrap::shutdown::elapsed;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::audit::{self, AuditError};
use crate::error::TradingError;
use crate::store::Store;

const STEP_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum StepError {
    #[error(transparent)]
    Fills(#[from] AuditError),
    #[error(transparent)]
    Notice(#[from] TradingError),
}

impl From<sqlx::Error> for StepError {
    fn from(error: sqlx::Error) -> Self {
        Self::Fills(error.into())
    }
}

/// Looks at new fills until `shutdown`.
pub async fn run(store: Store, pool: PgPool, shutdown: CancellationToken) {
    while elapsed(&shutdown, STEP_INTERVAL).await {
        let stepped = shutdown.run_until_cancelled(step(&store, &pool)).await;
        if let Some(Err(error)) = stepped {
            tracing::warn!(%error, "Looking for concentrations failed; retrying");
        }
    }
}

/// Looks at the next fills, and returns how many members are told of a concentration.
///
/// # Errors
/// [`StepError`]: nobody was told, and the next step looks at the same fills.
pub async fn step(store: &Store, pool: &PgPool) -> Result<usize, StepError> {
    // Prices are not known yet.
    if store.market_cache().log_head().is_none() {
        return Ok(0);
    }
    let mut connection = pool.acquire().await?;
    let settled = audit::settled(&mut connection).await?.fills;
    drop(connection);
    Ok(store.notice_concentrations(settled).await?)
}
