//! The rules of learning: pure functions.

pub mod calendar;
pub mod grading;
pub mod points;
pub mod review;
pub mod selection;
pub mod streak;
pub mod trade_cards;
