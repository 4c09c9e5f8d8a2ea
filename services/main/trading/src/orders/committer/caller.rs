//! Who waits for what became of an order.

use std::time::Duration;

use bootstrap::deadline;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::Instant;

use super::Outcome;
use crate::orders::skip_locked::LockRetry;
use crate::store::InFlightRequest;

/// Who waits, until when, and what goes back with the answer.
pub(super) struct Caller {
    until: Option<Instant>,
    answer: oneshot::Sender<Outcome>,
    /// Runs from the arrival, so that orders behind each other do not wait one after another.
    lock: LockRetry,
    rest: Duration,
    _request: InFlightRequest,
    _room: OwnedSemaphorePermit,
}

impl Caller {
    pub(super) fn new(
        answer: oneshot::Sender<Outcome>,
        request: InFlightRequest,
        room: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            until: deadline::remaining().and_then(|left| Instant::now().checked_add(left)),
            answer,
            lock: LockRetry::default(),
            rest: Duration::ZERO,
            _request: request,
            _room: room,
        }
    }

    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    /// Whether the lock of the account is waited for once more.
    pub(super) fn schedule_retry(&mut self) -> bool {
        match self.lock.next_delay() {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// How long until the next try.
    pub(super) fn retry_delay(&self) -> Duration {
        self.rest
    }

    pub(super) fn reply(self, outcome: Outcome) {
        // Whoever hung up reads it later, under the same request id.
        let _gone = self.answer.send(outcome);
    }
}
