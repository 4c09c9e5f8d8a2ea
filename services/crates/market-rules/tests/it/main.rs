//! The rules compared with recorded facts, and their properties.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod calendar;
mod contract;
mod dividend;
mod fees;
mod interest;
mod limits;
mod ticks;
mod volatility;
