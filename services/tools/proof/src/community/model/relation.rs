//! Who follows and blocks whom. A block by either ends following in both directions, and what two
//! members ask at once may come in either order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::Expected;

/// A request that was done, from its first call to its response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) on: bool,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Blocks {
    /// Of the block that began last.
    last_began: Instant,
    /// Of the block that ended last.
    last_ended: Instant,
}

#[derive(Default)]
pub(crate) struct Relations {
    /// By member and other.
    follows: BTreeMap<(i64, i64), Wanted>,
    /// With the time since when it is on for sure.
    blocks: BTreeMap<(i64, i64), Option<Instant>>,
    /// By pair, the smaller id first.
    blocked: BTreeMap<(i64, i64), Blocks>,
    /// Pairs of which one ever began to block the other.
    blocking: BTreeSet<(i64, i64)>,
}

impl Relations {
    pub(crate) fn followed(&mut self, pair: (i64, i64), wanted: Wanted) {
        self.follows.insert(pair, wanted);
    }

    /// A request begins that sets or takes back the block.
    pub(crate) fn blocks(&mut self, pair: (i64, i64), on: bool) {
        if on {
            self.blocking.insert(sorted(pair));
        } else {
            self.blocks.insert(pair, None);
        }
    }

    pub(crate) fn blocked(&mut self, pair: (i64, i64), wanted: Wanted) {
        let Wanted { on, began, ended } = wanted;
        if !on {
            self.blocks.insert(pair, None);
            return;
        }
        let since = self.blocks.entry(pair).or_default();
        since.get_or_insert(ended);
        let blocks = self.blocked.entry(sorted(pair)).or_insert(Blocks {
            last_began: began,
            last_ended: ended,
        });
        blocks.last_began = blocks.last_began.max(began);
        blocks.last_ended = blocks.last_ended.max(ended);
    }

    /// Whether one of them ever began to block the other.
    pub(crate) fn was_blocked(&self, one: i64, other: i64) -> bool {
        self.blocking.contains(&sorted((one, other)))
    }

    /// Whether one of them has blocked the other since before `at`.
    pub(crate) fn is_blocked_since(&self, one: i64, other: i64, at: Instant) -> bool {
        [(one, other), (other, one)].into_iter().any(|pair| {
            let since = self.blocks.get(&pair).copied().flatten();
            since.is_some_and(|since| since < at)
        })
    }

    pub(crate) fn block(&self, pair: (i64, i64)) -> Expected {
        match self.blocks.get(&pair) {
            Some(Some(_)) => Expected::Yes,
            Some(None) | None => Expected::No,
        }
    }

    pub(crate) fn follow(&self, pair: (i64, i64)) -> Expected {
        let Some(follow) = self.follows.get(&pair).filter(|follow| follow.on) else {
            return Expected::No;
        };
        match self.blocked.get(&sorted(pair)) {
            None => Expected::Yes,
            Some(blocks) if blocks.last_ended < follow.began => Expected::Yes,
            Some(blocks) if blocks.last_began > follow.ended => Expected::No,
            Some(_) => Expected::Either,
        }
    }

    pub(crate) fn follows(&self) -> impl Iterator<Item = (i64, i64)> {
        self.follows.keys().copied()
    }

    pub(crate) fn all_blocks(&self) -> impl Iterator<Item = (i64, i64)> {
        self.blocks.keys().copied()
    }
}

fn sorted((one, other): (i64, i64)) -> (i64, i64) {
    (one.min(other), one.max(other))
}
