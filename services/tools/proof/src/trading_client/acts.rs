//! Money acts over gRPC.

use proto::trading::v1 as wire;
use tonic::{Response, Status};

use super::{TradingClient, call, rejection_reason};
use crate::acts::competitions::{LEAGUE_ENTRANTS, LEAGUE_TITLE, Mode, ModeResponse};
use crate::acts::{Act, ActReply, ActRequest, ActResponse, JoinCompetition, OpenContract};
use crate::order::Outcome;

/// Member and idempotency key.
type Identity = (i64, String);

impl TradingClient {
    pub(crate) async fn act(&self, request: &ActRequest) -> Outcome<ActResponse> {
        let (mut transfers, mut items) = (self.transfers.clone(), self.items.clone());
        let (mut contracts, mut seasons) = (self.contracts.clone(), self.seasons.clone());
        let mut competitions = self.competitions.clone();
        let identity = request.identity();
        match request.act.clone() {
            Act::Transfer { from, to, won } => {
                let request = transfer_request(identity, from, to, won);
                outcome(transfers.transfer(request), transferred).await
            }
            Act::CloseAccount { number } => {
                let request = close_account_request(identity, number);
                outcome(transfers.close_account(request), account_closed).await
            }
            Act::BuyItem { item_id, quantity } => {
                let request = buy_item_request(identity, item_id, quantity);
                outcome(items.buy_item(request), bought).await
            }
            Act::OpenContract(open) => {
                let request = open_contract_request(identity, &open);
                outcome(contracts.open_contract(request), contract).await
            }
            Act::PayIntoContract { number, won } => {
                let request = pay_into_contract_request(identity, number, won);
                outcome(contracts.pay_into_contract(request), contract).await
            }
            Act::CloseContract { number, payout } => {
                let request = close_contract_request(identity, number, payout);
                outcome(contracts.close_contract(request), contract_closed).await
            }
            Act::Reset => outcome(seasons.reset(reset_request(identity)), reset).await,
            Act::JoinCompetition(join) => {
                let request = join_competition_request(identity, join);
                outcome(competitions.join_competition(request), joined).await
            }
            Act::LeaveCompetition { competition_id } => {
                let request = leave_competition_request(identity, competition_id);
                outcome(competitions.leave_competition(request), left).await
            }
            Act::CreateLeague { days, cash_won } => {
                let request = create_league_request(identity, days, cash_won);
                outcome(competitions.create_league(request), league_created).await
            }
        }
    }

    /// Turns the competition mode on or off; `chosen` is 0 for no event.
    pub(crate) async fn set_mode(
        &self,
        member_id: i64,
        is_on: bool,
        chosen: i64,
    ) -> Outcome<ModeResponse> {
        let request = wire::SetCompetitionModeRequest {
            member_id,
            is_on,
            competition_id: chosen,
        };
        let mut competitions = self.competitions.clone();
        match call(competitions.set_competition_mode(request)).await {
            Ok(mode) => Outcome::Final(Ok(Mode {
                is_on: mode.is_on,
                competition_id: mode.competition_id,
                account_id: mode.account_id,
            })),
            Err(status) => match rejection_reason(&status) {
                Some(reason) => Outcome::Final(Err(reason)),
                None => Outcome::Unknown(status.to_string()),
            },
        }
    }
}

fn transfer_request(
    (member_id, request_id): Identity,
    from: String,
    to: String,
    amount_won: i64,
) -> wire::TransferRequest {
    wire::TransferRequest {
        member_id,
        request_id,
        from_account_no: from,
        to_account_no: to,
        amount_won,
    }
}

fn close_account_request(
    (member_id, request_id): Identity,
    account_no: String,
) -> wire::CloseAccountRequest {
    wire::CloseAccountRequest {
        member_id,
        request_id,
        account_no,
    }
}

fn buy_item_request(
    (member_id, request_id): Identity,
    item_id: i64,
    quantity: i32,
) -> wire::BuyItemRequest {
    wire::BuyItemRequest {
        member_id,
        request_id,
        item_id,
        quantity,
    }
}

fn open_contract_request(
    (member_id, request_id): Identity,
    open: &OpenContract,
) -> wire::OpenContractRequest {
    wire::OpenContractRequest {
        member_id,
        request_id,
        product_id: open.product.id,
        term_months: open.months,
        amount_won: open.won,
        ..wire::OpenContractRequest::default()
    }
}

fn pay_into_contract_request(
    (member_id, request_id): Identity,
    account_no: String,
    amount_won: i64,
) -> wire::PayIntoContractRequest {
    wire::PayIntoContractRequest {
        member_id,
        request_id,
        account_no,
        amount_won,
    }
}

fn close_contract_request(
    (member_id, request_id): Identity,
    account_no: String,
    payout_won: Option<i64>,
) -> wire::CloseContractRequest {
    wire::CloseContractRequest {
        member_id,
        request_id,
        account_no,
        payout_won,
    }
}

fn reset_request((member_id, request_id): Identity) -> wire::ResetRequest {
    wire::ResetRequest {
        member_id,
        request_id,
        ..wire::ResetRequest::default()
    }
}

fn join_competition_request(
    (member_id, request_id): Identity,
    join: JoinCompetition,
) -> wire::JoinCompetitionRequest {
    wire::JoinCompetitionRequest {
        member_id,
        request_id,
        competition_id: join.competition_id,
        invite_code: join.invite_code.unwrap_or_default(),
    }
}

fn leave_competition_request(
    (member_id, request_id): Identity,
    competition_id: i64,
) -> wire::LeaveCompetitionRequest {
    wire::LeaveCompetitionRequest {
        member_id,
        request_id,
        competition_id,
    }
}

fn create_league_request(
    (member_id, request_id): Identity,
    days: i32,
    start_cash_won: i64,
) -> wire::CreateLeagueRequest {
    wire::CreateLeagueRequest {
        member_id,
        request_id,
        title: LEAGUE_TITLE.to_owned(),
        days,
        start_cash_won,
        most_entrants: LEAGUE_ENTRANTS,
        shows_holdings: false,
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

pub(crate) fn contract(reply: wire::ContractReply) -> Option<ActReply> {
    let contract = reply.contract?;
    Some(ActReply::Contract {
        status: status(&contract),
        won: contract.amount_won,
        paid_in: contract.paid_in_won,
        payments: i64::from(contract.payments_made),
        number: contract.account_no,
    })
}

pub(crate) fn contract_closed(reply: wire::CloseContractReply) -> Option<ActReply> {
    let (contract, closed) = (reply.contract?, reply.closed?);
    Some(ActReply::ContractClosed {
        status: status(&contract),
        number: contract.account_no,
        principal: closed.principal_won,
        interest: closed.interest_won,
        taxes: (closed.income_tax_won, closed.local_tax_won),
        payout: closed.payout_won,
        won: reply.deposit_won,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "other replies may lack a part")]
pub(crate) fn reset(reply: wire::ResetReply) -> Option<ActReply> {
    Some(ActReply::Reset {
        season: reply.season,
        deposit_won: reply.deposit_won,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "other replies may lack a part")]
pub(crate) fn joined(reply: wire::JoinCompetitionReply) -> Option<ActReply> {
    Some(ActReply::Joined {
        competition_id: reply.competition_id,
        number: reply.account_no,
        cash_won: reply.start_cash_won,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "other replies may lack a part")]
pub(crate) fn left(reply: wire::LeaveCompetitionReply) -> Option<ActReply> {
    Some(ActReply::Left {
        competition_id: reply.competition_id,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "other replies may lack a part")]
pub(crate) fn league_created(reply: wire::CreateLeagueReply) -> Option<ActReply> {
    Some(ActReply::LeagueCreated {
        competition_id: reply.competition_id,
        number: reply.account_no,
        invite_code: reply.invite_code,
    })
}

fn status(contract: &wire::Contract) -> String {
    let name = contract.status().as_str_name();
    name.trim_start_matches("CONTRACT_STATUS_").to_owned()
}
