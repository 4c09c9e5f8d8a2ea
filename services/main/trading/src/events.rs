//! What trading publishes.

use kernel::{AccountNo, Clock, MemberId, Won};
use messaging::NewEvent;
use proto::trading::v1 as wire;

/// An execution; its notice carries the order as it stands after it.
#[must_use]
pub fn order_filled(notice: wire::FillNotice, clock: &dyn Clock) -> NewEvent {
    let aggregate = order_aggregate(notice.order.as_ref());
    let body = wire::OrderFilled {
        notice: Some(notice),
    };
    NewEvent::new("trading.order.filled.v1", aggregate, &body, clock)
}

/// A change of an order's state.
#[must_use]
pub fn order_changed(member_id: MemberId, order: wire::Order, clock: &dyn Clock) -> NewEvent {
    let aggregate = order_aggregate(Some(&order));
    let body = wire::OrderChanged {
        member_id: member_id.0,
        order: Some(order),
    };
    NewEvent::new("trading.order.changed.v1", aggregate, &body, clock)
}

/// A member's account was opened.
#[must_use]
pub fn account_opened(
    member_id: MemberId,
    account_no: &AccountNo,
    initial: Won,
    clock: &dyn Clock,
) -> NewEvent {
    let body = wire::AccountOpened {
        member_id: member_id.0,
        account_no: account_no.to_string(),
        initial_deposit_won: initial.0,
    };
    NewEvent::new(
        "trading.account.opened.v1",
        format!("account-{account_no}"),
        &body,
        clock,
    )
}

fn order_aggregate(order: Option<&wire::Order>) -> String {
    format!("order-{}", order.map_or(0, |order| order.order_id))
}
