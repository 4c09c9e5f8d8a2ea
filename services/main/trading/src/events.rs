use kernel::{AccountNo, Clock, MemberId, Won};
use messaging::NewEvent;
use proto::trading::v1 as wire;

/// An order was executed, wholly or in part.
pub const ORDER_FILLED: &str = "trading.order.filled.v1";
/// An order changed its state.
pub const ORDER_CHANGED: &str = "trading.order.changed.v1";
/// A member's account was opened.
pub const ACCOUNT_OPENED: &str = "trading.account.opened.v1";
/// A member began again and no longer owns an instrument.
pub const HOLDING_ENDED: &str = "trading.holding.ended.v1";
/// A member paid for items.
pub const ITEM_PURCHASED: &str = "trading.item.purchased.v1";
/// A member closed a contract before its maturity.
pub const CONTRACT_CLOSED: &str = "trading.contract.closed.v1";
pub const CONTRACT_MATURED: &str = "trading.contract.matured.v1";
/// A payment into a contract found too little.
pub const CONTRACT_MISSED: &str = "trading.contract.missed.v1";
/// An order ended and nobody asked for it.
pub const ORDER_ENDED: &str = "trading.order.ended.v1";
/// A competition that a member has joined has begun.
pub const COMPETITION_STARTED: &str = "trading.competition.started.v1";
/// An entrant's account was closed at the end of a competition.
pub const COMPETITION_ENDED: &str = "trading.competition.ended.v1";
/// An entrant's place is known.
pub const COMPETITION_RANKED: &str = "trading.competition.ranked.v1";
/// A purchase left much of a member's total in one item.
pub const CONCENTRATION_NOTICED: &str = "trading.concentration.noticed.v1";

/// Events for screens that are open now, which nobody reads yet. Without a queue they count as
/// delivered; every other event waits in the outbox until there is one.
pub const LIVE: [&str; 2] = [ORDER_CHANGED, ACCOUNT_OPENED];

/// The notice carries the order as it is after the fill.
#[must_use]
pub fn order_filled(notice: wire::FillNotice, clock: &dyn Clock) -> NewEvent {
    let aggregate = order_aggregate(notice.order.as_ref());
    let body = wire::OrderFilled {
        notice: Some(notice),
    };
    NewEvent::new(ORDER_FILLED, aggregate, &body, clock)
}

#[must_use]
pub fn order_changed(member_id: MemberId, order: wire::Order, clock: &dyn Clock) -> NewEvent {
    let aggregate = order_aggregate(Some(&order));
    let body = wire::OrderChanged {
        member_id: member_id.0,
        order: Some(order),
    };
    NewEvent::new(ORDER_CHANGED, aggregate, &body, clock)
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
        ACCOUNT_OPENED,
        format!("account-{account_no}"),
        &body,
        clock,
    )
}

#[must_use]
pub fn holding_ended(ended: &wire::HoldingEnded, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", ended.member_id);
    NewEvent::new(HOLDING_ENDED, aggregate, ended, clock)
}

/// Purchases of a member keep their order.
#[must_use]
pub fn item_purchased(purchased: &wire::ItemPurchased, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", purchased.member_id);
    NewEvent::new(ITEM_PURCHASED, aggregate, purchased, clock)
}

#[must_use]
pub fn contract_closed(closed: &wire::ContractClosed, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("account-{}", closed.account_no);
    NewEvent::new(CONTRACT_CLOSED, aggregate, closed, clock)
}

#[must_use]
pub fn concentration_noticed(noticed: &wire::ConcentrationNoticed, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", noticed.member_id);
    NewEvent::new(CONCENTRATION_NOTICED, aggregate, noticed, clock)
}

#[must_use]
pub fn order_ended(member_id: MemberId, order: wire::Order, clock: &dyn Clock) -> NewEvent {
    let aggregate = order_aggregate(Some(&order));
    let body = wire::OrderEnded {
        member_id: member_id.0,
        order: Some(order),
    };
    NewEvent::new(ORDER_ENDED, aggregate, &body, clock)
}

#[must_use]
pub fn contract_matured(matured: &wire::ContractMatured, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("account-{}", matured.account_no);
    NewEvent::new(CONTRACT_MATURED, aggregate, matured, clock)
}

#[must_use]
pub fn contract_missed(missed: &wire::ContractMissed, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("account-{}", missed.account_no);
    NewEvent::new(CONTRACT_MISSED, aggregate, missed, clock)
}

#[must_use]
pub fn competition_started(started: &wire::CompetitionStarted, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", started.member_id);
    NewEvent::new(COMPETITION_STARTED, aggregate, started, clock)
}

#[must_use]
pub fn competition_ended(ended: &wire::CompetitionEnded, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", ended.member_id);
    NewEvent::new(COMPETITION_ENDED, aggregate, ended, clock)
}

#[must_use]
pub fn competition_ranked(ranked: &wire::CompetitionRanked, clock: &dyn Clock) -> NewEvent {
    let aggregate = format!("member-{}", ranked.member_id);
    NewEvent::new(COMPETITION_RANKED, aggregate, ranked, clock)
}

fn order_aggregate(order: Option<&wire::Order>) -> String {
    format!("order-{}", order.map_or(0, |order| order.order_id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::LIVE;

    #[test]
    fn live_events_are_those_that_nobody_reads_yet() {
        let list = include_str!("../../../../proto/README.md");
        let rows = list.lines().filter_map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let event = cells.next()?.trim_matches('`');
            let readers = cells.next_back()?;
            event.starts_with("trading.").then_some((event, readers))
        });
        let (live, durable): (Vec<_>, Vec<_>) =
            rows.partition(|(_, readers)| readers.starts_with("nobody yet"));
        assert!(!durable.is_empty());
        let live: BTreeSet<_> = live.into_iter().map(|(event, _)| event).collect();
        assert_eq!(live, BTreeSet::from(LIVE));
    }
}
