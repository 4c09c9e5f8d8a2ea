//! Notifications: what members are told of events of every service.
//!
//! Reading order: [`notice`] (what is told), [`rules`] (the table of events), [`withdrawals`] (what is taken back), [`edits`] (what has another
//! text), [`words`] (numbers in sentences), then [`consumer`] and `store::notices` (the transaction that tells).

pub mod consumer;
pub mod edits;
pub mod notice;
pub mod rules;
pub mod withdrawals;
pub mod words;

pub use notice::{Batching, Notice};
