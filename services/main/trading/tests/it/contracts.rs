//! Deposits and savings plans: what members do with them, and what happens by itself.

pub(crate) mod bank;
pub(crate) mod books;
pub(crate) mod cma;
mod day;
mod early;
mod jobs;
mod late_jobs;
mod members;
mod renewals;
