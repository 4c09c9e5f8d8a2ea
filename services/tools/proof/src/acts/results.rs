//! The responses to money acts, what they left, and what they count.

use std::collections::BTreeMap;
use std::fmt;

use super::{ActResponse, Wallet};

#[derive(Default)]
pub(crate) struct ActResults {
    /// By member and idempotency key.
    pub(crate) responses: BTreeMap<(i64, String), ActResponse>,
    /// By member.
    pub(crate) wallets: BTreeMap<i64, Wallet>,
    /// Acts that were done, by kind.
    pub(crate) done: BTreeMap<&'static str, u64>,
    /// Refusals by reason.
    pub(crate) refusals: BTreeMap<String, u64>,
    /// Sales of the limited item before the run.
    pub(crate) sold_before: i64,
    pub(crate) repeated: u64,
    /// Two requests at once.
    pub(crate) raced: u64,
}

impl ActResults {
    pub(crate) fn add(&mut self, other: Self) {
        self.responses.extend(other.responses);
        self.wallets.extend(other.wallets);
        for (kind, count) in other.done {
            *self.done.entry(kind).or_default() += count;
        }
        for (reason, count) in other.refusals {
            *self.refusals.entry(reason).or_default() += count;
        }
        self.repeated += other.repeated;
        self.raced += other.raced;
    }

    pub(crate) fn count(&mut self, kind: &'static str, response: &ActResponse) {
        match response {
            ActResponse::Done(_) => *self.done.entry(kind).or_default() += 1,
            ActResponse::Refused(reason) => {
                *self.refusals.entry(reason.clone()).or_default() += 1;
            }
        }
    }
}

impl fmt::Display for ActResults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "acts: {:?} of {} members, {} at once, {} repeats, refused {:?}",
            self.done,
            self.wallets.len(),
            self.raced,
            self.repeated,
            self.refusals
        )
    }
}
