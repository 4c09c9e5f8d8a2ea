//! Requests of this process without a reply yet. Only a repeat of one of them gets
//! `REQ_SID_IN_PROGRESS`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::request::Key;

/// The first request in flight for each key.
#[derive(Clone, Default)]
pub(crate) struct InFlightRequests(Arc<Mutex<HashMap<Key, FirstRequest>>>);

impl InFlightRequests {
    pub(crate) fn begin(&self, key: Key) -> InFlightRequest {
        let mut requests = self.0.lock();
        let (first, is_copy) = match requests.entry(key.clone()) {
            Entry::Occupied(first) => (first.get().clone(), true),
            Entry::Vacant(vacant) => (vacant.insert(FirstRequest::default()).clone(), false),
        };
        InFlightRequest {
            key,
            first,
            is_copy,
            all: self.clone(),
        }
    }
}

/// Guard of a request in flight; drop it with the reply.
pub struct InFlightRequest {
    key: Key,
    first: FirstRequest,
    is_copy: bool,
    all: InFlightRequests,
}

impl InFlightRequest {
    /// The request that this one repeats, if it was in flight when this one began.
    #[must_use]
    pub fn first(&self) -> Option<FirstRequest> {
        self.is_copy.then(|| self.first.clone())
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        if !self.is_copy {
            self.first.0.store(true, Ordering::Release);
            self.all.0.lock().remove(&self.key);
        }
    }
}

/// State of a request that others may repeat.
#[derive(Clone, Default)]
pub struct FirstRequest(Arc<AtomicBool>);

impl FirstRequest {
    #[must_use]
    pub fn is_in_flight(&self) -> bool {
        !self.0.load(Ordering::Acquire)
    }
}
