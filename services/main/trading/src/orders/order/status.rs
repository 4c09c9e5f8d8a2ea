//! States of an order and the transitions between them.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// 예약: placed while the market was closed.
    Queued,
    /// 미체결.
    Accepted,
    /// 일부 체결.
    Partial,
    /// 체결.
    Filled,
    /// 취소.
    Canceled,
    /// 기간 만료.
    Expired,
    /// 정정됨.
    Replaced,
    /// 거부.
    Rejected,
}

impl Status {
    pub const ALL: [Self; 8] = [
        Self::Queued,
        Self::Accepted,
        Self::Partial,
        Self::Filled,
        Self::Canceled,
        Self::Expired,
        Self::Replaced,
        Self::Rejected,
    ];

    /// The spelling in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "QUEUED",
            Self::Accepted => "ACCEPTED",
            Self::Partial => "PARTIAL",
            Self::Filled => "FILLED",
            Self::Canceled => "CANCELED",
            Self::Expired => "EXPIRED",
            Self::Replaced => "REPLACED",
            Self::Rejected => "REJECTED",
        }
    }

    /// Parses the spelling of [`Status::as_str`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether the order may still be filled, and therefore has a hold.
    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::Queued | Self::Accepted | Self::Partial => true,
            Self::Filled | Self::Canceled | Self::Expired | Self::Replaced | Self::Rejected => {
                false
            }
        }
    }

    /// The state after `event`.
    ///
    /// # Errors
    /// [`IllegalTransition`] when the event cannot happen in this state. Final states never change.
    pub fn after(self, event: OrderEvent) -> Result<Self, IllegalTransition> {
        let next = match (self, event) {
            (Self::Queued, OrderEvent::SessionOpened) => Self::Accepted,
            (Self::Accepted | Self::Partial, OrderEvent::FilledPartly) => Self::Partial,
            (Self::Accepted | Self::Partial, OrderEvent::FilledWholly) => Self::Filled,
            (Self::Queued | Self::Accepted | Self::Partial, OrderEvent::Canceled) => Self::Canceled,
            (Self::Queued | Self::Accepted | Self::Partial, OrderEvent::Expired) => Self::Expired,
            (Self::Queued | Self::Accepted | Self::Partial, OrderEvent::Replaced) => Self::Replaced,
            (from, event) => return Err(IllegalTransition { from, event }),
        };
        Ok(next)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderEvent {
    /// The session that a queued order waited for has begun.
    SessionOpened,
    FilledPartly,
    FilledWholly,
    /// By the member, or by a guard of the matcher.
    Canceled,
    /// The session or the term of the order ended.
    Expired,
    /// A modified order took its place.
    Replaced,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an order that is {} cannot be changed by {event:?}", .from.as_str())]
pub struct IllegalTransition {
    pub from: Status,
    pub event: OrderEvent,
}

/// Why an order ended without being filled, as stored and shown.
pub mod end_reason {
    pub const CANCELED_BY_MEMBER: &str = "CANCELED_BY_MEMBER";
    /// The member began again.
    pub const RESET: &str = "RESET";
    /// The member left the competition.
    pub const COMPETITION_LEFT: &str = "COMPETITION_LEFT";
    pub const COMPETITION_ENDED: &str = "COMPETITION_ENDED";
    /// An operator canceled the competition.
    pub const COMPETITION_CANCELED: &str = "COMPETITION_CANCELED";
    pub const SESSION_ENDED: &str = "SESSION_ENDED";
    /// Ninety days of market time have passed.
    pub const TERM_ENDED: &str = "TERM_ENDED";
    /// The price of a queued order is outside the limits of the day it would trade on.
    pub const PRICE_LIMIT: &str = "PRICE_LIMIT";
    /// No tick arrived for too long.
    pub const STALE_MARKET: &str = "STALE_MARKET";
    /// The price moved too far from the reference price.
    pub const SLIPPAGE_GUARD: &str = "SLIPPAGE_GUARD";
    /// The cash did not cover the rest of the order.
    pub const INSUFFICIENT_CASH: &str = "INSUFFICIENT_CASH";
    /// The order amount did not cover the rest of the order.
    pub const AMOUNT_REACHED: &str = "AMOUNT_REACHED";
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Status::Queued, OrderEvent::SessionOpened, Status::Accepted)]
    #[case(Status::Queued, OrderEvent::Canceled, Status::Canceled)]
    #[case(Status::Queued, OrderEvent::Expired, Status::Expired)]
    #[case(Status::Accepted, OrderEvent::FilledPartly, Status::Partial)]
    #[case(Status::Accepted, OrderEvent::FilledWholly, Status::Filled)]
    #[case(Status::Partial, OrderEvent::FilledPartly, Status::Partial)]
    #[case(Status::Partial, OrderEvent::FilledWholly, Status::Filled)]
    #[case(Status::Partial, OrderEvent::Replaced, Status::Replaced)]
    fn an_open_order_changes_state(
        #[case] from: Status,
        #[case] event: OrderEvent,
        #[case] to: Status,
    ) {
        assert_eq!(from.after(event), Ok(to));
    }

    #[test]
    fn a_final_state_never_changes() {
        for from in Status::ALL.into_iter().filter(|status| !status.is_open()) {
            for event in [
                OrderEvent::SessionOpened,
                OrderEvent::FilledPartly,
                OrderEvent::FilledWholly,
                OrderEvent::Canceled,
                OrderEvent::Expired,
                OrderEvent::Replaced,
            ] {
                assert_eq!(from.after(event), Err(IllegalTransition { from, event }));
            }
        }
    }

    #[test]
    fn a_queued_order_cannot_fill_and_an_accepted_one_cannot_open_again() {
        assert!(Status::Queued.after(OrderEvent::FilledPartly).is_err());
        assert!(Status::Accepted.after(OrderEvent::SessionOpened).is_err());
    }
}
