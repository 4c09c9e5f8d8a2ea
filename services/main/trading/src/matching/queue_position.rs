//! What the fill model learns about orders without filling them.

use std::collections::BTreeMap;

use kernel::{OrderId, Price, Quantity};

use crate::matching::book::Book;
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;

/// All that a pass may teach about an order that it leaves open.
pub(super) fn queue_position(order: &Order) -> (bool, Option<Quantity>, Option<Price>) {
    (order.resting, order.queue_ahead, order.reference_price)
}

/// Hands what was learned of a replaced order on to the one that took over its place, and answers
/// those. What the rows say of it may be a second old; what the pass knows is what the next tick
/// is decided by, so it is stored with the boundary.
pub(super) fn inherit_queue_positions(
    new: &mut BTreeMap<OrderId, Order>,
    passed: &MatchingPass,
    book: &Book,
) -> Vec<Order> {
    let mut inherited = Vec::new();
    for order in new.values_mut() {
        let Some(orig) = order.orig_id.filter(|_| order.priority_id != order.id) else {
            continue;
        };
        let ids = [orig, order.priority_id];
        let known = ids
            .iter()
            .find_map(|id| passed.orders.get(id).or_else(|| book.get(*id)));
        if let Some(known) = known {
            order.resting = known.resting;
            order.queue_ahead = known.queue_ahead;
            inherited.push(order.clone());
        }
    }
    inherited
}
