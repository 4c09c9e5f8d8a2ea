//! Ranks matches. Equal matches are a bit set: a query of one character matches half of all names,
//! and only one page is read.

use fixedbitset::FixedBitSet;

use crate::listing;

/// Up to this many matches are sorted; more are processed as a bit set.
const SORT_LIMIT: usize = 200;

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
        let matches = matches.into_iter();
        let (_, upper_bound) = matches.size_hint();
        if upper_bound.is_some_and(|upper_bound| upper_bound <= SORT_LIMIT) {
            let is_remaining = |item: &usize| self.remaining.contains(*item);
            let mut new: Vec<usize> = matches.filter(is_remaining).collect();
            new.sort_unstable();
            new.dedup();
            new.iter().for_each(|item| self.remaining.remove(*item));
            let is_new = |item: usize| new.binary_search(&item).is_ok();
            self.push_page(new.len(), is_new, new.iter().copied());
        } else {
            let mut new = FixedBitSet::with_capacity(self.remaining.len());
            matches.for_each(|item| new.insert(item));
            new.intersect_with(&self.remaining);
            self.remaining.difference_with(&new);
            let is_new = |item: usize| new.contains(item);
            self.push_page(new.count_ones(..), is_new, new.ones());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }

    fn push_page(
        &mut self,
        count: usize,
        is_new: impl Fn(usize) -> bool,
        in_order: impl Iterator<Item = usize>,
    ) {
        let skipped = self.from.saturating_sub(self.total);
        let free = self.size - self.page_items.len();
        self.total += count;
        if count <= skipped || free == 0 {
            return;
        }
        let popular = self.popular.iter().copied().filter(|one| is_new(*one));
        let others = in_order.filter(|one| !self.is_popular.contains(*one));
        let ranked = popular.chain(others);
        self.page_items.extend(ranked.skip(skipped).take(free));
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
        // Both code paths must give the same result.
        let [few, many] = [1, SORT_LIMIT].map(|times| {
            let mut remaining = FixedBitSet::with_capacity(10);
            remaining.insert_range(1..10);
            let mut ranking = Ranking::new(remaining, &[8, 3, 0], from, until);
            ranking.add([5, 0]);
            ranking.add([]);
            ranking.add([9, 3, 5, 8, 2, 2].repeat(times));
            ranking.add([1]);
            ranking.finish()
        });
        assert_eq!(few, many);
        few
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
