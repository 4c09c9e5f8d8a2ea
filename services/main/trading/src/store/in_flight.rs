//! Which requests this process has not answered yet: who repeats one of them is told so, and
//! nobody else is.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::request::Key;

/// The first of each request that is under way.
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

/// A request that is not answered yet; dropped with its answer.
pub struct InFlightRequest {
    key: Key,
    first: FirstRequest,
    is_copy: bool,
    all: InFlightRequests,
}

impl InFlightRequest {
    /// The request that this one repeats, if one was under way when this one began.
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

/// A request that copies repeat, and whether it has ended.
#[derive(Clone, Default)]
pub struct FirstRequest(Arc<AtomicBool>);

impl FirstRequest {
    /// Whether it is not answered yet.
    #[must_use]
    pub fn is_in_flight(&self) -> bool {
        !self.0.load(Ordering::Acquire)
    }
}
