//! When the answer to the request at hand stops being useful, kept beside the task that works
//! on it and handed on, shortened, with every call it makes.

use std::future::Future;
use std::time::{Duration, Instant};

tokio::task_local! {
    static CURRENT: Deadline;
}

/// A point in time after which nobody waits for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// The deadline `limit` from now.
    #[must_use]
    pub fn within(limit: Duration) -> Self {
        let now = Instant::now();
        // Further away than the clock can say means: practically never.
        Self(
            now.checked_add(limit)
                .unwrap_or(now + Duration::from_secs(86_400)),
        )
    }

    /// What is left; zero when it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// What is left of the running task's deadline; `None` when it has none.
#[must_use]
pub fn remaining() -> Option<Duration> {
    CURRENT.try_with(|deadline| deadline.remaining()).ok()
}

/// Runs `future` under `deadline`, or under the one that is in force if that is earlier.
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
