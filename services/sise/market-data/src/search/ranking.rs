//! The order of what is found. Subjects are numbers, and those that fit equally well are a set of
//! bits: a text of one character fits half of all names, and only a page of them is ever looked at.

use fixedbitset::FixedBitSet;

use crate::listing;

/// So few are sorted by themselves, which takes less than to go through the bits of all.
const FEW: usize = 200;

/// Takes what fits, the best first, and keeps the page that is asked for.
pub(super) struct Ranking<'a> {
    /// What may be found and was not yet.
    open: FixedBitSet,
    /// Come before others that fit as well as they do, in this order.
    popular: &'a [usize],
    is_popular: FixedBitSet,
    from: usize,
    size: usize,
    total: usize,
    shown: Vec<usize>,
}

impl<'a> Ranking<'a> {
    /// Of the subjects `open`, the rows `from` (counted from 0) until before `until`.
    pub(super) fn new(open: FixedBitSet, popular: &'a [usize], from: usize, until: usize) -> Self {
        let mut is_popular = FixedBitSet::with_capacity(open.len());
        is_popular.extend(popular.iter().copied());
        Self {
            open,
            popular,
            is_popular,
            from,
            size: until.saturating_sub(from),
            total: 0,
            shown: Vec::new(),
        }
    }

    /// All that fit next best; who was taken before stays where they are.
    pub(super) fn take(&mut self, fitting: impl IntoIterator<Item = usize>) {
        let fitting = fitting.into_iter();
        let (_, most) = fitting.size_hint();
        if most.is_some_and(|most| most <= FEW) {
            let is_open = |subject: &usize| self.open.contains(*subject);
            let mut new: Vec<usize> = fitting.filter(is_open).collect();
            new.sort_unstable();
            new.dedup();
            new.iter().for_each(|subject| self.open.remove(*subject));
            let is_new = |subject: usize| new.binary_search(&subject).is_ok();
            self.show(new.len(), is_new, new.iter().copied());
        } else {
            let mut new = FixedBitSet::with_capacity(self.open.len());
            fitting.for_each(|subject| new.insert(subject));
            new.intersect_with(&self.open);
            self.open.difference_with(&new);
            let is_new = |subject: usize| new.contains(subject);
            self.show(new.count_ones(..), is_new, new.ones());
        }
    }

    /// Whether nothing was found yet.
    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }

    fn show(
        &mut self,
        count: usize,
        is_new: impl Fn(usize) -> bool,
        in_order: impl Iterator<Item = usize>,
    ) {
        let skipped = self.from.saturating_sub(self.total);
        let missing = self.size - self.shown.len();
        self.total += count;
        if count <= skipped || missing == 0 {
            return;
        }
        let popular = self.popular.iter().copied().filter(|one| is_new(*one));
        let others = in_order.filter(|one| !self.is_popular.contains(*one));
        let ranked = popular.chain(others);
        self.shown.extend(ranked.skip(skipped).take(missing));
    }

    /// The page, and how many were found in all.
    pub(super) fn finish(self) -> (Vec<usize>, usize) {
        (self.shown, self.total)
    }
}

/// First and last row of a page that may lie behind everything, and its number.
pub(super) fn bounds(page: i32) -> (usize, usize, i32) {
    listing::bounds(usize::MAX, page)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(from: usize, until: usize) -> (Vec<usize>, usize) {
        // Whether few or many are told at once must not matter.
        let [few, many] = [1, FEW].map(|times| {
            let mut open = FixedBitSet::with_capacity(10);
            open.insert_range(1..10);
            let mut ranking = Ranking::new(open, &[8, 3, 0], from, until);
            ranking.take([5, 0]);
            ranking.take([]);
            ranking.take([9, 3, 5, 8, 2, 2].repeat(times));
            ranking.take([1]);
            ranking.finish()
        });
        assert_eq!(few, many);
        few
    }

    #[test]
    fn better_fits_come_first_then_popular_ones_and_nobody_comes_twice() {
        assert_eq!(page(0, 10), (vec![5, 8, 3, 2, 9, 1], 6));
    }

    #[test]
    fn a_page_is_a_part_of_the_whole() {
        assert_eq!(page(0, 2), (vec![5, 8], 6));
        assert_eq!(page(2, 4), (vec![3, 2], 6));
        assert_eq!(page(4, 6), (vec![9, 1], 6));
        assert_eq!(page(5, 9), (vec![1], 6));
        assert_eq!(page(6, 8), (vec![], 6));
    }
}
