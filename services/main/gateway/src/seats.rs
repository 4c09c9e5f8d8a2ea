//! How many requests may be under way. Those that look (search, lists, reads) share their seats, and
//! the less one matters the fewer may be taken when it comes: in a crowd search is refused first,
//! then lists, then reads. Whoever acts has seats that nobody else takes. Requests that make auth
//! hash a password need one of a few places besides.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::Counter;

use crate::error::{ApiError, Reason};
use crate::registry::Class;

/// Requests that may wait for a password to be hashed: a few less than auth lets wait, because a
/// crowd of logins is refused here at a fraction of what the way to auth and back costs.
const HASHING: usize = 48;
/// Auth's queue is this much shorter a second later.
const HASHING_RETRY_S: u64 = 1;

/// The seats that are taken.
pub(crate) struct Seats {
    looking: Arc<AtomicUsize>,
    acting: Arc<AtomicUsize>,
    hashing: Arc<AtomicUsize>,
    refused: Refused,
}

/// Counts whom there was no seat for. Kept, because finding a counter costs more than using it.
struct Refused {
    search: Counter,
    browse: Counter,
    read: Counter,
    order: Counter,
    hashing: Counter,
}

/// A place among the requests under way; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Seat(Arc<AtomicUsize>);

impl Seats {
    /// A seat, or a refusal at once when there is none left for the class.
    pub(crate) fn take(&self, class: Class) -> Result<Seat, ApiError> {
        one_of(self.taken(class), class.seats()).ok_or_else(|| {
            self.refused.of(class).increment(1);
            Reason::Unavailable.into()
        })
    }

    /// Whether [`take`](Self::take) would refuse at this moment; if so, it is counted.
    pub(crate) fn refuse(&self, class: Class) -> bool {
        let is_full = self.taken(class).load(Ordering::Relaxed) >= class.seats();
        if is_full {
            self.refused.of(class).increment(1);
        }
        is_full
    }

    /// A place among those whose password is hashed, or a refusal when there is none left.
    pub(crate) fn take_hashing(&self) -> Result<Seat, ApiError> {
        one_of(&self.hashing, HASHING).ok_or_else(|| self.no_hashing())
    }

    /// The refusal that [`take_hashing`](Self::take_hashing) would give at this moment.
    pub(crate) fn check_hashing(&self) -> Result<(), ApiError> {
        if self.hashing.load(Ordering::Relaxed) < HASHING {
            Ok(())
        } else {
            Err(self.no_hashing())
        }
    }

    fn no_hashing(&self) -> ApiError {
        self.refused.hashing.increment(1);
        ApiError::from(Reason::AuthBusy).retry_after(HASHING_RETRY_S)
    }

    fn taken(&self, class: Class) -> &Arc<AtomicUsize> {
        match class {
            Class::Search | Class::Browse | Class::Read => &self.looking,
            Class::Order => &self.acting,
        }
    }
}

/// One more of `places`, if there is one left.
fn one_of(taken: &Arc<AtomicUsize>, places: usize) -> Option<Seat> {
    let another = |taken| (taken < places).then_some(taken + 1);
    let before = taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, another);
    before.is_ok().then(|| Seat(Arc::clone(taken)))
}

impl Default for Seats {
    fn default() -> Self {
        let counter =
            |class: &'static str| metrics::counter!("gateway_shed_total", "class" => class);
        Self {
            looking: Arc::default(),
            acting: Arc::default(),
            hashing: Arc::default(),
            refused: Refused {
                search: counter(Class::Search.as_str()),
                browse: counter(Class::Browse.as_str()),
                read: counter(Class::Read.as_str()),
                order: counter(Class::Order.as_str()),
                hashing: counter("Hashing"),
            },
        }
    }
}

impl Refused {
    fn of(&self, class: Class) -> &Counter {
        match class {
            Class::Search => &self.search,
            Class::Browse => &self.browse,
            Class::Read => &self.read,
            Class::Order => &self.order,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [Class; 4] = [Class::Search, Class::Browse, Class::Read, Class::Order];

    fn is_full(seats: &Seats, class: Class) -> bool {
        let is_refused = seats.refuse(class);
        let taken = seats.take(class);
        assert_eq!(is_refused, taken.is_err());
        taken.is_err_and(|error| error.reason() == Reason::Unavailable)
    }

    #[test]
    fn a_class_that_is_full_takes_no_seat_of_one_that_matters_more() {
        let seats = Seats::default();
        let mut taken = Vec::new();
        for (place, full) in CLASSES.into_iter().enumerate() {
            while let Ok(seat) = seats.take(full) {
                taken.push(seat);
            }
            for (other, class) in CLASSES.into_iter().enumerate() {
                let expected = other <= place;
                assert_eq!(is_full(&seats, class), expected, "{class:?}, {full:?} full");
            }
        }
        assert_eq!(taken.len(), Class::Read.seats() + Class::Order.seats());
        drop(taken);
        assert!(CLASSES.into_iter().all(|class| !is_full(&seats, class)));
    }

    #[test]
    fn what_matters_less_waits_until_most_of_what_matters_more_is_done() {
        let seats = Seats::default();
        let reads: Vec<Seat> = (0..Class::Browse.seats())
            .map(|_| seats.take(Class::Read).unwrap())
            .collect();
        assert_eq!(
            CLASSES.map(|class| is_full(&seats, class)),
            [true, true, false, false]
        );
        let still = reads.into_iter().take(Class::Search.seats());
        let still: Vec<Seat> = still.collect();
        assert_eq!(
            CLASSES.map(|class| is_full(&seats, class)),
            [true, false, false, false]
        );
        drop(still);
        assert!(!is_full(&seats, Class::Search));
    }

    #[test]
    fn a_few_passwords_are_hashed_and_the_rest_is_told_when_to_come_back() {
        let seats = Seats::default();
        let taken: Vec<Seat> = (0..HASHING)
            .map(|_| {
                seats.check_hashing().unwrap();
                seats.take_hashing().unwrap()
            })
            .collect();
        for refused in [seats.check_hashing(), seats.take_hashing().map(drop)] {
            assert_eq!(refused.unwrap_err().reason(), Reason::AuthBusy);
        }
        assert!(!is_full(&seats, Class::Order), "others act meanwhile");
        drop(taken);
        seats.check_hashing().unwrap();
    }
}
