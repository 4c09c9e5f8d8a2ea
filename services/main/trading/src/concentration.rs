//! Notices purchases that leave much of a member's total in one item (rule R15). It reads fills after
//! they are committed, so no fill waits for it.

mod notice;
mod worker;

pub use worker::{run, step};
