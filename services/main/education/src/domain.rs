//! The rules of learning, without a clock, a database or the network.

pub mod calendar;
pub mod cards;
pub mod grading;
pub mod points;
pub mod review;
pub mod selection;
pub mod streak;
pub mod trade_cards;
