//! Ranks matches. Equal matches are a bit set: a query of one character matches half of all names,
//! and only one page is read.

use fixedbitset::FixedBitSet;

use crate::listing;

/// Collects matches, best first, and keeps the requested page.
pub(super) struct Ranking<'a> {
    /// Candidates that have not matched yet.
    remaining: FixedBitSet,
    /// Ranked first among equal matches, in this order.
    popular: &'a [usize],
    is_popular: FixedBitSet,
    from: usize,
    size: usize,
    total: usize,
    page_items: Vec<usize>,
}

impl<'a> Ranking<'a> {
    /// Ranks the items `remaining` and keeps the rows `from..until`, counted from 0.
    pub(super) fn new(
        remaining: FixedBitSet,
        popular: &'a [usize],
        from: usize,
        until: usize,
    ) -> Self {
        let mut is_popular = FixedBitSet::with_capacity(remaining.len());
        is_popular.extend(popular.iter().copied());
        Self {
            remaining,
            popular,
            is_popular,
            from,
            size: until.saturating_sub(from),
            total: 0,
            page_items: Vec::new(),
        }
    }

    /// Adds the next-best matches; items that were added before keep their rank.
    pub(super) fn add(&mut self, matches: impl IntoIterator<Item = usize>) {
        let mut new = FixedBitSet::with_capacity(self.remaining.len());
        new.extend(matches);
        new.intersect_with(&self.remaining);
        self.remaining.difference_with(&new);
        let skipped = self.from.saturating_sub(self.total);
        let free = self.size - self.page_items.len();
        let count = new.count_ones(..);
        self.total += count;
        if count <= skipped || free == 0 {
            return;
        }
        let popular = self.popular.iter().copied();
        let popular = popular.filter(|item| new.contains(*item));
        let others = new.ones().filter(|item| !self.is_popular.contains(*item));
        let ranked = popular.chain(others);
        self.page_items.extend(ranked.skip(skipped).take(free));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The page, and the number of matches on all pages.
    pub(super) fn finish(self) -> (Vec<usize>, usize) {
        (self.page_items, self.total)
    }
}

/// First and last row of a page, and its number.
pub(super) fn bounds(page: i32) -> (usize, usize, i32) {
    listing::bounds(usize::MAX, page)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(from: usize, until: usize) -> (Vec<usize>, usize) {
        let mut remaining = FixedBitSet::with_capacity(10);
        remaining.insert_range(1..10);
        let mut ranking = Ranking::new(remaining, &[8, 3, 0], from, until);
        ranking.add([5, 0]);
        ranking.add([]);
        ranking.add([9, 3, 5, 8, 2, 2]);
        ranking.add([1]);
        ranking.finish()
    }

    #[test]
    fn better_matches_come_first_then_popular_ones_without_duplicates() {
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
