//! The deadline of the current request: task-local, and propagated with every call, shortened by
//! one hop.

use std::future::Future;
use std::time::{Duration, Instant};

tokio::task_local! {
    static CURRENT: Deadline;
}

/// After this point in time the caller no longer waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// The deadline `limit` from now.
    #[must_use]
    pub fn within(limit: Duration) -> Self {
        let now = Instant::now();
        // Beyond the clock's range means practically never.
        Self(
            now.checked_add(limit)
                .unwrap_or(now + Duration::from_secs(86_400)),
        )
    }

    /// Zero when it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// The time until the current task's deadline; `None` without one.
#[must_use]
pub fn remaining() -> Option<Duration> {
    CURRENT.try_with(|deadline| deadline.remaining()).ok()
}

/// Runs `future` under the earlier of `deadline` and the current deadline.
pub fn scope<F: Future>(deadline: Deadline, future: F) -> impl Future<Output = F::Output> {
    let earlier = CURRENT
        .try_with(|outer| deadline.min(*outer))
        .unwrap_or(deadline);
    CURRENT.scope(earlier, future)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_inner_deadline_only_shortens() {
        assert_eq!(remaining(), None);
        scope(Deadline::within(Duration::from_secs(1)), async {
            scope(Deadline::within(Duration::from_secs(60)), async {
                assert!(remaining().unwrap() <= Duration::from_secs(1));
            })
            .await;
            scope(Deadline::within(Duration::ZERO), async {
                assert_eq!(remaining(), Some(Duration::ZERO));
            })
            .await;
        })
        .await;
        assert!(Deadline::within(Duration::MAX).remaining() > Duration::from_secs(3600));
    }
}
