//! What an account can spend and sell, and how many orders it may place.

use kernel::{AccountCode, Quantity, Won};

use crate::competitions::rules::CompetitionState;
use crate::orders::rejection::OrderRejection;

/// What the locked account has for one order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuyingPower {
    pub account_code: AccountCode,
    /// Won that no open order holds.
    pub available: Won,
    /// Quantity of the instrument that no open order holds.
    pub sellable: Quantity,
    pub open_orders: i32,
    /// Orders accepted in the current second.
    pub accepted_this_second: i32,
    /// Seconds until the current second ends.
    pub second_ends_in_s: i64,
    /// Seconds until the limit per minute allows another order; 0 when it does now.
    pub minute_frees_in_s: i64,
    /// Set for the account of a competition.
    pub competition: Option<CompetitionState>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderLimits {
    /// Open orders at a time.
    pub open_orders: i32,
    /// Accepted orders in a second.
    pub per_second: i32,
    /// A token bucket of accepted orders: its size, and how many come back in a minute. As many
    /// rejections are stored, in a bucket of their own.
    pub per_minute: i32,
}

impl Default for OrderLimits {
    fn default() -> Self {
        Self {
            open_orders: 100,
            per_second: 5,
            per_minute: 60,
        }
    }
}

impl OrderLimits {
    /// # Errors
    /// [`OrderRejection::TooManyOpenOrders`] or [`OrderRejection::OrderRate`].
    pub fn check(&self, buying_power: &BuyingPower) -> Result<(), OrderRejection> {
        if buying_power.open_orders >= self.open_orders {
            return Err(OrderRejection::TooManyOpenOrders {
                most: self.open_orders,
            });
        }
        let wait_s = if buying_power.minute_frees_in_s > 0 {
            buying_power.minute_frees_in_s
        } else if buying_power.accepted_this_second >= self.per_second {
            buying_power.second_ends_in_s
        } else {
            return Ok(());
        };
        Err(OrderRejection::OrderRate {
            retry_after_s: wait_s,
        })
    }
}
