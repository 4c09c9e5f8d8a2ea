//! What each request with a key asks for, by which a repetition is told from another request.

use prost::Message;
use proto::trading::v1 as wire;

use crate::store::request::{RequestDigest, RequestKind};

/// A request with an idempotency key.
pub(super) trait Keyed: Message + Clone {
    const KIND: RequestKind;

    fn key(&mut self) -> &mut String;
}

/// The digest of all but the key.
pub(super) fn digest<R: Keyed>(request: &R) -> RequestDigest {
    let mut body = request.clone();
    body.key().clear();
    RequestDigest::new(R::KIND, &body)
}

macro_rules! keyed {
    ($($request:ident { $key:ident } => $kind:ident,)+) => {$(
        impl Keyed for wire::$request {
            const KIND: RequestKind = RequestKind::$kind;

            fn key(&mut self) -> &mut String {
                &mut self.$key
            }
        }
    )+};
}

keyed! {
    CancelOrderRequest { request_id } => Cancel,
    TransferRequest { request_id } => Transfer,
    CloseAccountRequest { request_id } => CloseAccount,
    MovePointsRequest { request_id } => MovePoints,
    SpendPointsRequest { key } => SpendPoints,
    ExchangeCashRequest { request_id } => ExchangeCash,
    BuyItemRequest { request_id } => BuyItem,
    OpenContractRequest { request_id } => OpenContract,
    PayIntoContractRequest { request_id } => PayIntoContract,
    CloseContractRequest { request_id } => CloseContract,
    ResetRequest { request_id } => Reset,
    JoinCompetitionRequest { request_id } => JoinCompetition,
    LeaveCompetitionRequest { request_id } => LeaveCompetition,
    CreateLeagueRequest { request_id } => CreateLeague,
}
