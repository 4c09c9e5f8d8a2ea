//! Everything the clients were told.

use std::collections::BTreeMap;
use std::fmt;

use crate::wish::{Answer, Cost};

/// A preview of an order that was then placed.
pub(crate) struct Previewed {
    pub(crate) order_id: i64,
    pub(crate) cost: Cost,
}

#[derive(Default)]
pub(crate) struct Told {
    /// By member and retry key.
    pub(crate) answers: BTreeMap<(i64, String), Answer>,
    /// What was shown before orders.
    pub(crate) previews: Vec<Previewed>,
    /// Orders that were said to have ended without anybody asking.
    pub(crate) ended_alone: Vec<i64>,
    pub(crate) placed: u64,
    pub(crate) canceled: u64,
    pub(crate) modified: u64,
    pub(crate) raced: u64,
    /// Requests that no rule could let pass.
    pub(crate) mischief: u64,
    pub(crate) repeated: u64,
    /// Calls that failed without an answer, and were asked again.
    pub(crate) failed_calls: u64,
    pub(crate) logins: u64,
    pub(crate) renewals: u64,
    /// What contradicts an earlier answer or what was predicted.
    pub(crate) faults: Vec<String>,
    /// Requests that never had an answer.
    pub(crate) unresolved: Vec<String>,
    pub(crate) refusals: BTreeMap<String, u64>,
}

impl Told {
    pub(crate) fn add(&mut self, other: Self) {
        self.answers.extend(other.answers);
        self.previews.extend(other.previews);
        self.ended_alone.extend(other.ended_alone);
        self.placed += other.placed;
        self.canceled += other.canceled;
        self.modified += other.modified;
        self.raced += other.raced;
        self.mischief += other.mischief;
        self.repeated += other.repeated;
        self.failed_calls += other.failed_calls;
        self.logins += other.logins;
        self.renewals += other.renewals;
        self.faults.extend(other.faults);
        self.unresolved.extend(other.unresolved);
        for (reason, count) in other.refusals {
            *self.refusals.entry(reason).or_default() += count;
        }
    }

    /// Writes a fault down, and shows it at once.
    pub(crate) fn fault(&mut self, fault: String) {
        println!("fault: {fault}");
        self.faults.push(fault);
    }
}

impl fmt::Display for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "told: {} placed, {} modified, {} canceled, {} races, {} repeats, {} that had to be refused",
            self.placed, self.modified, self.canceled, self.raced, self.repeated, self.mischief
        )?;
        writeln!(
            formatter,
            "told: {} calls without an answer asked again, {} sessions renewed, {} logins, {} answers against the model",
            self.failed_calls,
            self.renewals,
            self.logins,
            self.faults.len()
        )?;
        write!(formatter, "told: refused {:?}", self.refusals)
    }
}
