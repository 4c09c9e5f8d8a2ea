//! What every call has: its member and its deadline.

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use kernel::MemberId;
use telemetry::trace;

use crate::error::TradingError;

/// Timeout of a call whose caller set no shorter deadline.
pub(super) const TIMEOUT: Duration = Duration::from_secs(4);

/// Members are numbered from one; 0 stands for no member.
pub(super) fn member(id: i64) -> Result<MemberId, TradingError> {
    if id > 0 {
        Ok(MemberId(id))
    } else {
        Err(TradingError::Malformed("member_id"))
    }
}

/// Runs `work` in a task of its own and waits until the deadline of the caller, so that a caller
/// who disconnects does not abort a transaction. The task knows the deadline.
pub(super) async fn with_timeout<T: Send + 'static>(
    work: impl Future<Output = Result<T, TradingError>> + Send + 'static,
) -> Result<T, TradingError> {
    let timeout = deadline::remaining().map_or(TIMEOUT, |left| left.min(TIMEOUT));
    let work = deadline::scope(Deadline::within(timeout), work);
    let task = match trace::current() {
        Some(context) => tokio::spawn(trace::scope(context, work)),
        None => tokio::spawn(work),
    };
    match tokio::time::timeout(timeout, task).await {
        Ok(result) => result?,
        Err(_elapsed) => Err(TradingError::DeadlinePassed),
    }
}

#[cfg(test)]
mod tests {
    use tonic::{Code, Status};

    use super::*;

    #[tokio::test]
    async fn work_knows_the_deadline_of_its_caller() {
        let soon = Duration::from_secs(1);
        let left = with_timeout(async { Ok(deadline::remaining()) });
        let left = deadline::scope(Deadline::within(soon), left).await.unwrap();
        assert!(left.unwrap() <= soon);
        let left = with_timeout(async { Ok(deadline::remaining()) })
            .await
            .unwrap();
        assert!(left.unwrap() <= TIMEOUT);
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_not_an_overload() {
        let broken = with_timeout::<()>(async { panic!("on purpose") }).await;
        assert_eq!(Status::from(broken.unwrap_err()).code(), Code::Internal);
    }
}
