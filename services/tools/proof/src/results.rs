//! The responses that the clients received, and what they count.

use std::collections::BTreeMap;
use std::fmt;

use crate::acts::ActResults;
use crate::order::{Cost, OrderResponse};

/// A preview of an order that was then placed.
pub(crate) struct PreviewedOrder {
    pub(crate) order_id: i64,
    pub(crate) cost: Cost,
}

/// An order that was placed while its member competed.
pub(crate) struct CompetingOrder {
    pub(crate) member_id: i64,
    /// The account of the event that counted then.
    pub(crate) account_id: i64,
    /// Whether the member had named the event; else another may have begun since.
    pub(crate) is_chosen: bool,
}

#[derive(Default)]
pub(crate) struct Results {
    /// By member and idempotency key.
    pub(crate) responses: BTreeMap<(i64, String), OrderResponse>,
    pub(crate) acts: ActResults,
    pub(crate) previews: Vec<PreviewedOrder>,
    /// Orders that were placed in the competition mode, by their numbers.
    pub(crate) competing: BTreeMap<i64, CompetingOrder>,
    /// Orders that had ended without a request of their client.
    pub(crate) ended_alone: Vec<i64>,
    pub(crate) placed: u64,
    pub(crate) canceled: u64,
    pub(crate) modified: u64,
    pub(crate) raced: u64,
    /// Requests that had to be rejected.
    pub(crate) invalid: u64,
    pub(crate) repeated: u64,
    /// Calls without a final response, which were retried.
    pub(crate) failed_calls: u64,
    pub(crate) logins: u64,
    pub(crate) renewals: u64,
    /// Responses that contradict an earlier one or the model.
    pub(crate) faults: Vec<String>,
    /// Requests that never had a final response.
    pub(crate) unresolved: Vec<String>,
    /// Rejections by reason.
    pub(crate) rejections: BTreeMap<String, u64>,
}

impl Results {
    pub(crate) fn add(&mut self, other: Self) {
        self.responses.extend(other.responses);
        self.acts.add(other.acts);
        self.previews.extend(other.previews);
        self.competing.extend(other.competing);
        self.ended_alone.extend(other.ended_alone);
        self.placed += other.placed;
        self.canceled += other.canceled;
        self.modified += other.modified;
        self.raced += other.raced;
        self.invalid += other.invalid;
        self.repeated += other.repeated;
        self.failed_calls += other.failed_calls;
        self.logins += other.logins;
        self.renewals += other.renewals;
        self.faults.extend(other.faults);
        self.unresolved.extend(other.unresolved);
        for (reason, count) in other.rejections {
            *self.rejections.entry(reason).or_default() += count;
        }
    }

    /// The order in the response to a request, unless it was rejected.
    pub(crate) fn order_of(&self, key: &(i64, String)) -> Option<i64> {
        match self.responses.get(key)? {
            OrderResponse::Order(reply) => Some(reply.order_id),
            OrderResponse::Rejected(_) => None,
        }
    }

    /// Also prints the fault at once.
    pub(crate) fn record_fault(&mut self, fault: String) {
        println!("fault: {fault}");
        self.faults.push(fault);
    }
}

impl fmt::Display for Results {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "clients: {} placed, {} modified, {} canceled, {} races, {} repeats, {} invalid requests",
            self.placed, self.modified, self.canceled, self.raced, self.repeated, self.invalid
        )?;
        writeln!(
            formatter,
            "clients: {} calls retried without a response, {} sessions renewed, {} logins, {} responses against the model",
            self.failed_calls,
            self.renewals,
            self.logins,
            self.faults.len()
        )?;
        writeln!(formatter, "clients: rejected {:?}", self.rejections)?;
        write!(formatter, "{}", self.acts)
    }
}
