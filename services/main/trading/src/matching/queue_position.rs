//! The queue position of a resting order, which a pass updates without filling it.

use std::collections::BTreeMap;

use kernel::{OrderId, Price, Quantity};

use crate::matching::book::OrderBook;
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;

/// Everything that a pass changes in an order without an effect.
pub(super) fn queue_position(order: &Order) -> (bool, Option<Quantity>, Option<Price>) {
    (order.resting, order.queue_ahead, order.reference_price)
}

/// Copies the queue position of each replaced order to the order that keeps its priority, and
/// returns these. Stored positions may be a second old; those in memory decide the next tick, so the
/// caller stores them with the checkpoint.
pub(super) fn inherit_queue_positions(
    new: &mut BTreeMap<OrderId, Order>,
    passed: &MatchingPass,
    book: &OrderBook,
) -> Vec<Order> {
    let mut inherited = Vec::new();
    for order in new.values_mut() {
        let Some(orig) = order.orig_id.filter(|_| order.priority_id != order.id) else {
            continue;
        };
        let ids = [orig, order.priority_id];
        let replaced = ids
            .iter()
            .find_map(|id| passed.orders.get(id).or_else(|| book.get(*id)));
        if let Some(replaced) = replaced {
            order.resting = replaced.resting;
            order.queue_ahead = replaced.queue_ahead;
            inherited.push(order.clone());
        }
    }
    inherited
}
