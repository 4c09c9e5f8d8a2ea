//! How many requests may be under way. Those that look (search, lists, reads) share their seats, and
//! the less one matters the fewer may be taken when it comes: in a crowd search is refused first,
//! then lists, then reads. Whoever acts has seats that nobody else takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::Counter;

use crate::error::{ApiError, Reason};
use crate::registry::Class;

/// The seats that are taken.
pub(crate) struct Seats {
    looking: Arc<AtomicUsize>,
    acting: Arc<AtomicUsize>,
    refused: Refused,
}

/// Counts whom there was no seat for. Kept, because finding a counter costs more than using it.
struct Refused {
    search: Counter,
    browse: Counter,
    read: Counter,
    order: Counter,
}

/// A place among the requests under way; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Seat(Arc<AtomicUsize>);

impl Seats {
    /// A seat, or a refusal at once when there is none left for the class.
    pub(crate) fn take(&self, class: Class) -> Result<Seat, ApiError> {
        let taken = self.taken(class);
        let another = |taken| (taken < class.seats()).then_some(taken + 1);
        match taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, another) {
            Ok(_before) => Ok(Seat(Arc::clone(taken))),
            Err(_full) => {
                self.refused.of(class).increment(1);
                Err(Reason::Unavailable.into())
            }
        }
    }

    /// Whether [`take`](Self::take) would refuse at this moment; if so, it is counted.
    pub(crate) fn refuse(&self, class: Class) -> bool {
        let is_full = self.taken(class).load(Ordering::Relaxed) >= class.seats();
        if is_full {
            self.refused.of(class).increment(1);
        }
        is_full
    }

    fn taken(&self, class: Class) -> &Arc<AtomicUsize> {
        match class {
            Class::Search | Class::Browse | Class::Read => &self.looking,
            Class::Order => &self.acting,
        }
    }
}

impl Default for Seats {
    fn default() -> Self {
        let counter =
            |class: Class| metrics::counter!("gateway_shed_total", "class" => class.as_str());
        Self {
            looking: Arc::default(),
            acting: Arc::default(),
            refused: Refused {
                search: counter(Class::Search),
                browse: counter(Class::Browse),
                read: counter(Class::Read),
                order: counter(Class::Order),
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
}
