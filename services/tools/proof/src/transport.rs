//! The two interfaces that a client can use.

use rust_decimal::Decimal;

use crate::acts::competitions::ModeResponse;
use crate::acts::{ActRequest, ActResponse};
use crate::order::{Cost, OrderRequest, OrderSheet, Outcome};
use crate::phone::Phone;
use crate::rng::Rng;
use crate::trading_client::TradingClient;

/// Few, so that the acts of each build on each other.
pub(crate) const ACTING_MEMBERS: u64 = 3;
pub(crate) const COMPETING_MEMBERS: u64 = 3;

pub(crate) enum Transport {
    /// gRPC to trading, for a range of members.
    Grpc {
        client: Box<TradingClient>,
        first_member: u64,
        members: u64,
        /// The first member whose money only this client moves; the next ones follow.
        first_acting: u64,
        /// The first member for whom only this client does anything, also in competitions; the next
        /// ones follow.
        first_competing: u64,
    },
    /// HTTP through the gateway, for the member of the phone.
    Http(Box<Phone>),
}

impl Transport {
    /// The member of the next order: a random one of the range, or the phone's.
    pub(crate) fn member(&self, rng: &mut Rng) -> i64 {
        match self {
            Self::Grpc {
                first_member,
                members,
                ..
            } => i64::try_from(first_member + rng.below(*members)).unwrap_or(i64::MAX),
            Self::Http(phone) => phone.member_id(),
        }
    }

    /// The member of the next money act: no other client acts for it.
    pub(crate) fn acting_member(&self, rng: &mut Rng) -> i64 {
        match self {
            Self::Grpc { first_acting, .. } => {
                i64::try_from(first_acting + rng.below(ACTING_MEMBERS)).unwrap_or(i64::MAX)
            }
            Self::Http(phone) => phone.member_id(),
        }
    }

    /// A member for whom no other client acts or orders.
    pub(crate) fn competing_member(&self, rng: &mut Rng) -> i64 {
        match self {
            Self::Grpc {
                first_competing, ..
            } => i64::try_from(first_competing + rng.below(COMPETING_MEMBERS)).unwrap_or(i64::MAX),
            Self::Http(phone) => phone.member_id(),
        }
    }

    /// Whether no other client acts or orders for the member.
    pub(crate) fn competes(&self, member_id: i64) -> bool {
        match self {
            Self::Grpc {
                first_competing, ..
            } => u64::try_from(member_id).is_ok_and(|id| id >= *first_competing),
            Self::Http(_) => true,
        }
    }

    /// Turns the competition mode on or off; `chosen` is 0 for no event.
    pub(crate) async fn set_mode(
        &self,
        member_id: i64,
        is_on: bool,
        chosen: i64,
    ) -> Outcome<ModeResponse> {
        match self {
            Self::Grpc { client, .. } => client.set_mode(member_id, is_on, chosen).await,
            Self::Http(phone) => phone.set_mode(is_on, chosen).await,
        }
    }

    pub(crate) async fn act(&self, request: &ActRequest) -> Outcome<ActResponse> {
        match self {
            Self::Grpc { client, .. } => client.act(request).await,
            Self::Http(phone) => phone.act(request).await,
        }
    }

    pub(crate) async fn send(&self, request: &OrderRequest) -> Outcome {
        match self {
            Self::Grpc { client, .. } => client.send(request).await,
            Self::Http(phone) => phone.send_order(request).await,
        }
    }

    pub(crate) async fn sheet(&self, member_id: i64, code: &str) -> Option<OrderSheet> {
        match self {
            Self::Grpc { client, .. } => client.sheet(member_id, code).await,
            Self::Http(phone) => phone.sheet(code).await,
        }
    }

    /// Codes with the quantity of each that the member can sell.
    pub(crate) async fn sellable(&self, member_id: i64) -> Option<Vec<(String, Decimal)>> {
        match self {
            Self::Grpc { client, .. } => client.sellable(member_id).await,
            Self::Http(phone) => phone.sellable().await,
        }
    }

    pub(crate) async fn preview(&self, request: &OrderRequest) -> Option<Cost> {
        match self {
            Self::Grpc { client, .. } => client.preview(request).await,
            Self::Http(phone) => phone.preview(request).await,
        }
    }
}
