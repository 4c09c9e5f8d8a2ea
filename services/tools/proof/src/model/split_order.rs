//! What a split makes of an open order.

use super::{Model, TrackedOrder};
use crate::order::{OrderRequest, OrderSheet, OrderView};

impl Model {
    /// The order after the split of its instrument, if only the split explains the reply.
    pub(super) fn split_order(
        &self,
        order: &TrackedOrder,
        request: &OrderRequest,
        reply: &OrderView,
        sheet: Option<&OrderSheet>,
    ) -> Option<TrackedOrder> {
        let split = self.splits.of(&order.code).filter(|_| !order.is_split)?;
        let price = match order.price {
            Some(price) => Some(split.price(price, sheet?)?),
            None => None,
        };
        let split_order = TrackedOrder {
            price,
            quantity: split.quantity(order.quantity),
            is_split: true,
            ..order.clone()
        };
        let is_explained = reply.price == split_order.price && reply.price != order.price
            || request.quantity.is_none() && reply.quantity > order.quantity;
        is_explained.then_some(split_order)
    }
}
