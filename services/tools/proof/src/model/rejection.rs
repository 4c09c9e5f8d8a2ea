//! The reasons for which an order may be rejected.

use super::{Model, OrderState};
use crate::order::{Action, OrderRequest, OrderSide};

/// Market conditions that may reject any new order.
const MARKET_REASONS: [&str; 3] = ["NOT_TRADABLE", "PRICE_LIMIT", "MIN_AMOUNT"];

impl Model {
    pub(super) fn check_rejection(
        &self,
        request: &OrderRequest,
        reason: &str,
    ) -> Result<(), String> {
        let insufficient = match request.side {
            OrderSide::Buy => "INSUFFICIENT_CASH",
            OrderSide::Sell => "INSUFFICIENT_QTY",
        };
        let is_of_new_order = reason == insufficient || MARKET_REASONS.contains(&reason);
        let expected = match request.action {
            Action::Place => is_of_new_order,
            Action::Cancel(order_id) | Action::Modify(order_id) => {
                match self
                    .order(order_id)
                    .map_or(OrderState::Open, |order| order.state)
                {
                    OrderState::Filled => reason == "ORDER_ALREADY_FILLED",
                    OrderState::Ended => reason == "ORDER_STATE",
                    // It may have filled or ended since; the final checks compare that with the
                    // database.
                    OrderState::Open => {
                        let modifies = matches!(request.action, Action::Modify(_));
                        ["ORDER_ALREADY_FILLED", "ORDER_STATE"].contains(&reason)
                            || (modifies && (is_of_new_order || reason == "MODIFY_NOTHING"))
                    }
                }
            }
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("rejected with {reason}"))
    }
}
