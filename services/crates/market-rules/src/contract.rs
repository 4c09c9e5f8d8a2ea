//! Deposit and savings contracts: when payments are due, and what a contract earns at maturity, when
//! it is closed before, and when it is kept afterwards.
//!
//! Months are calendar months from the opening day; an opening day that a month lacks falls on its
//! last day, and comes back in the next. All interest is before tax and rounded down once.

mod dates;
mod earnings;

use chrono::NaiveDate;
use kernel::Won;
use rust_decimal::Decimal;

use crate::interest::Compounding;

pub use dates::months_between;
pub use earnings::{
    EARLY_SHARE, Earnings, FIRST_MONTH, KEPT_FIRST_MONTH, KEPT_LATER, KEPT_UNTIL_THIRD,
    LEAST_FROM_FIRST, LEAST_FROM_THIRD, cma_interest,
};

/// The least amount of a product that has no limit of its own.
pub const LEAST_AMOUNT: Won = Won(1_000);
/// What may be paid into a free savings plan in a month where the product has no limit of its own.
pub const FREE_MONTHLY_CAP: Won = Won(3_000_000);
/// Open contracts of a member.
pub const OPEN_CONTRACTS_MAX: i64 = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// One payment at the opening.
    Deposit,
    /// The same amount every month: payment 0 at the opening, payment k on the first `transfer_day`
    /// (1 to 31) on or after the k-th anniversary.
    Savings { transfer_day: u32 },
    /// Any amount at any time, with simple interest by days.
    Free,
}

/// What member and bank agreed on when the contract was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    pub plan: Plan,
    /// Simple for a free plan.
    pub compounding: Compounding,
    /// Percent a year without preference, at least zero.
    pub base_percent: Decimal,
    /// Percent a year until maturity, at least the base.
    pub percent: Decimal,
    pub opened_on: NaiveDate,
    /// Term, at least one.
    pub months: u32,
}

/// A payment that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paid {
    /// From 0; payments that were missed leave gaps.
    pub number: u32,
    pub amount: Won,
    pub on: NaiveDate,
}
