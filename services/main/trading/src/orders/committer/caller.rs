//! The caller of an order that is being committed.

use std::time::Duration;

use bootstrap::deadline;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::Instant;

use super::OrderResult;
use crate::store::InFlightRequest;
use crate::store::skip_locked::LockRetry;

/// Where the reply goes, until when it is wanted, and what is released with it.
pub(super) struct Caller {
    deadline: Option<Instant>,
    reply: oneshot::Sender<OrderResult>,
    /// Starts at the arrival, so that orders queued for one account time out together.
    lock: LockRetry,
    delay: Duration,
    _request: InFlightRequest,
    _permit: OwnedSemaphorePermit,
}

impl Caller {
    pub(super) fn new(
        reply: oneshot::Sender<OrderResult>,
        request: InFlightRequest,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            deadline: deadline::remaining().and_then(|left| Instant::now().checked_add(left)),
            reply,
            lock: LockRetry::default(),
            delay: Duration::ZERO,
            _request: request,
            _permit: permit,
        }
    }

    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= now)
    }

    /// Plans another try for the lock of the account; `false` after the timeout.
    pub(super) fn schedule_retry(&mut self) -> bool {
        match self.lock.next_delay() {
            Some(delay) => {
                self.delay = delay;
                true
            }
            None => false,
        }
    }

    pub(super) fn retry_delay(&self) -> Duration {
        self.delay
    }

    pub(super) fn reply(self, outcome: OrderResult) {
        // A caller that has disconnected reads the stored reply with the same request id.
        let _gone = self.reply.send(outcome);
    }
}
