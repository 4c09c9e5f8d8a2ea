//! The reasons for which an order may be rejected.

use super::{Model, OrderState};
use crate::order::{Action, OrderCategory, OrderRequest, OrderSide};

/// Rejections in a competition, which depend on its account and on the market.
const COMPETITION_REASONS: [&str; 3] = [
    "COMPETITION_CONCENTRATION",
    "COMPETITION_VOLUME",
    "COMPETITION_PRICE",
];
/// The order is of another event than the one that counts. Where that has ended, as a month of the practice
/// league at midnight, its orders stay open for a moment.
const OTHER_EVENT: [&str; 2] = ["ACCOUNT_FORBIDDEN", "COMPETITION_NOT_ONGOING"];
const ONLY_STOCKS: &str = "COMPETITION_ONLY_STOCK_ETF";
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
        let is_of_new_order = reason == insufficient
            || MARKET_REASONS.contains(&reason)
            || request.competes && COMPETITION_REASONS.contains(&reason);
        let is_stock = request.category() == OrderCategory::Stock;
        let expected = match request.action {
            Action::Place if request.competes && !is_stock => reason == ONLY_STOCKS,
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
                            || (modifies && request.competes && OTHER_EVENT.contains(&reason))
                    }
                }
            }
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("rejected with {reason}"))
    }
}
