//! Calls that are retried until they have a final response.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use bootstrap::deadline::{self, Deadline};
use bootstrap::problem;
use tonic::{Code, Response, Status};

const CALL_TIMEOUT: Duration = Duration::from_secs(3);
const RETRY_PAUSE: Duration = Duration::from_millis(50);
const AGAIN: [Code; 6] = [
    Code::Unavailable,
    Code::DeadlineExceeded,
    Code::Internal,
    Code::Unknown,
    Code::Cancelled,
    Code::Aborted,
];

pub(crate) struct Retries {
    timeout: Duration,
    failed: AtomicU64,
    internal: AtomicU64,
}

/// A response or a refusal.
pub(crate) struct FinalResponse<T> {
    pub(crate) result: Result<T, Status>,
    /// Calls before it without a response, each of which may have had its effect.
    pub(crate) failed_calls: u64,
}

impl<T> FinalResponse<T> {
    /// The response, or the reason of the refusal.
    pub(crate) fn or_reason(self) -> Result<T, String> {
        self.result.map_err(|status| {
            let problem = problem::of(&status);
            problem.map_or_else(|| status.to_string(), |problem| problem.reason)
        })
    }
}

impl Retries {
    pub(crate) fn within(timeout: Duration) -> Self {
        Self {
            timeout,
            failed: AtomicU64::new(0),
            internal: AtomicU64::new(0),
        }
    }

    /// Calls without a final response, which were retried.
    pub(crate) fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Those of them for which a service blames itself.
    pub(crate) fn internal(&self) -> u64 {
        self.internal.load(Ordering::Relaxed)
    }

    /// # Errors
    /// When there is no final response in time.
    pub(crate) async fn call<T, F>(&self, call: impl Fn() -> F) -> anyhow::Result<FinalResponse<T>>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let began = Instant::now();
        let mut failed_calls = 0;
        loop {
            let result = deadline::scope(Deadline::within(CALL_TIMEOUT), call()).await;
            let result = result.map(Response::into_inner);
            let status = match result {
                Err(status) if is_retried(&status) => status,
                result => {
                    return Ok(FinalResponse {
                        result,
                        failed_calls,
                    });
                }
            };
            if problem::of(&status).is_some_and(|problem| problem.reason == "INTERNAL") {
                tracing::error!(%status, "A service failed");
                self.internal.fetch_add(1, Ordering::Relaxed);
            }
            if began.elapsed() > self.timeout {
                bail!("no response within {:?}: {status}", self.timeout);
            }
            failed_calls += 1;
            self.failed.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }
}

/// A total cannot be known while a split divides holdings.
fn is_retried(status: &Status) -> bool {
    let problem = problem::of(status);
    AGAIN.contains(&status.code())
        || problem.is_some_and(|problem| problem.reason == "MARKET_UNAVAILABLE")
}
