//! The caller of an order that is being committed.

use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::OrderResult;
use crate::store::InFlightRequest;
use crate::store::skip_locked::LockRetry;

/// Where the reply goes, and what is released with it.
pub(super) struct Caller {
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
            reply,
            lock: LockRetry::default(),
            delay: Duration::ZERO,
            _request: request,
            _permit: permit,
        }
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
