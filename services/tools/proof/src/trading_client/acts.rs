//! Money acts over gRPC.

use proto::trading::v1 as wire;
use tonic::{Response, Status};

use super::{TradingClient, call, rejection_reason};
use crate::acts::{Act, ActReply, ActRequest, ActResponse};
use crate::order::Outcome;

impl TradingClient {
    pub(crate) async fn act(&self, request: &ActRequest) -> Outcome<ActResponse> {
        let (member_id, request_id) = request.identity();
        let (mut transfers, mut items) = (self.transfers.clone(), self.items.clone());
        match request.act.clone() {
            Act::Transfer { from, to, won } => {
                let request = wire::TransferRequest {
                    member_id,
                    request_id,
                    from_account_no: from,
                    to_account_no: to,
                    amount_won: won,
                };
                outcome(transfers.transfer(request), transferred).await
            }
            Act::CloseAccount { number } => {
                let request = wire::CloseAccountRequest {
                    member_id,
                    request_id,
                    account_no: number,
                };
                outcome(transfers.close_account(request), account_closed).await
            }
            Act::BuyItem { item_id, quantity } => {
                let request = wire::BuyItemRequest {
                    member_id,
                    request_id,
                    item_id,
                    quantity,
                };
                outcome(items.buy_item(request), bought).await
            }
        }
    }
}

async fn outcome<T>(
    calling: impl Future<Output = Result<Response<T>, Status>>,
    view: impl FnOnce(T) -> Option<ActReply>,
) -> Outcome<ActResponse> {
    match call(calling).await {
        Ok(reply) => match view(reply) {
            Some(reply) => Outcome::Final(ActResponse::Done(reply)),
            None => Outcome::Unknown("a reply without its parts".to_owned()),
        },
        Err(status) => match rejection_reason(&status) {
            Some(reason) => Outcome::Final(ActResponse::Refused(reason)),
            None => Outcome::Unknown(status.to_string()),
        },
    }
}

#[expect(clippy::unnecessary_wraps, reason = "other replies may lack a part")]
pub(crate) fn transferred(reply: wire::TransferReply) -> Option<ActReply> {
    Some(ActReply::Transferred {
        transfer_id: reply.transfer_id,
        from: reply.from_account_no,
        to: reply.to_account_no,
        won: reply.amount_won,
        from_won: reply.from_deposit_won,
        to_won: reply.to_deposit_won,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "other replies may lack a part")]
pub(crate) fn account_closed(reply: wire::CloseAccountReply) -> Option<ActReply> {
    Some(ActReply::AccountClosed {
        number: reply.account_no,
    })
}

/// Only of won: no member has cash.
pub(crate) fn bought(reply: wire::BuyItemReply) -> Option<ActReply> {
    (reply.currency() == wire::ItemCurrency::Krw).then_some(ActReply::Bought {
        purchase_id: reply.purchase_id,
        item_id: reply.item_id,
        quantity: reply.quantity,
        spent: reply.spent,
        owned: i64::from(reply.owned),
        won: reply.deposit_won,
    })
}
