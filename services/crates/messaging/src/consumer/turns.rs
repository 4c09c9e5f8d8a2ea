//! Whose turn it is: of each aggregate one at a time, in the order of arrival.

use std::collections::{HashSet, VecDeque};

pub(super) struct Turns<T> {
    waiting: VecDeque<(String, T)>,
    /// Aggregates of which one has begun.
    busy: HashSet<String>,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            busy: HashSet::new(),
        }
    }
}

impl<T> Turns<T> {
    pub(super) fn wait(&mut self, aggregate: String, item: T) {
        self.waiting.push_back((aggregate, item));
    }

    /// The earliest of an aggregate that is free, which is busy until [`Turns::end`].
    pub(super) fn begin(&mut self) -> Option<(String, T)> {
        let is_free = |(aggregate, _): &(String, T)| !self.busy.contains(aggregate);
        let first = self.waiting.iter().position(is_free)?;
        let (aggregate, item) = self.waiting.remove(first)?;
        self.busy.insert(aggregate.clone());
        Some((aggregate, item))
    }

    pub(super) fn end(&mut self, aggregate: &str) {
        self.busy.remove(aggregate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aggregate_has_one_turn_at_a_time_in_the_order_of_arrival() {
        let mut turns = Turns::default();
        for (aggregate, item) in [("a", 1), ("a", 2), ("b", 3), ("a", 4), ("b", 5)] {
            turns.wait(aggregate.to_owned(), item);
        }
        let begin = |turns: &mut Turns<i32>| turns.begin().map(|(_, item)| item);
        assert_eq!(begin(&mut turns), Some(1));
        assert_eq!(begin(&mut turns), Some(3));
        assert_eq!(begin(&mut turns), None, "both are busy");
        turns.end("b");
        assert_eq!(begin(&mut turns), Some(5));
        turns.end("a");
        assert_eq!(begin(&mut turns), Some(2));
        turns.end("a");
        assert_eq!(begin(&mut turns), Some(4));
        turns.end("a");
        turns.end("b");
        assert_eq!(begin(&mut turns), None);
    }
}
