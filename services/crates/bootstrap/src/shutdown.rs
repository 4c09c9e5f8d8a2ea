//! SIGTERM and SIGINT as a cancellation token.

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Cancelled by the first SIGTERM or SIGINT; a second signal ends the process at once.
#[must_use]
pub fn token() -> CancellationToken {
    let token = CancellationToken::new();
    let cancelled = token.clone();
    tokio::spawn(async move {
        wait_for_signal().await;
        tracing::info!("Asked to stop, draining");
        cancelled.cancel();
        wait_for_signal().await;
        std::process::exit(130);
    });
    token
}

/// Waits for `interval`, and tells whether it went by before the shutdown.
pub async fn elapsed(shutdown: &CancellationToken, interval: Duration) -> bool {
    let sleep = tokio::time::sleep(interval);
    shutdown.run_until_cancelled(sleep).await.is_some()
}

async fn wait_for_signal() {
    match (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(%error, "Signals cannot be received");
            std::future::pending::<()>().await;
        }
    }
}
