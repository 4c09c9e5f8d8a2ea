//! Money acts over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Phone, final_reason};
use crate::acts::competitions::{LEAGUE_ENTRANTS, LEAGUE_TITLE, Mode, ModeResponse};
use crate::acts::{Act, ActReply, ActRequest, ActResponse};
use crate::order::Outcome;

impl Phone {
    pub(crate) async fn act(&self, request: &ActRequest) -> Outcome<ActResponse> {
        let (member, key) = request.identity();
        let (method, path, body) = match &request.act {
            Act::Transfer { from, to, won } => (
                Method::POST,
                "/api/v1/invest/transfer".to_owned(),
                json!({ "memberSid": member, "fromAcno": from, "toAcno": to, "amount": won, "reqSid": key }),
            ),
            Act::CloseAccount { number } => (
                Method::DELETE,
                format!("/api/v1/invest/account/{number}"),
                json!({ "memberSid": member, "reqSid": key }),
            ),
            Act::BuyItem { item_id, quantity } => (
                Method::POST,
                "/api/v1/invest/buy-item".to_owned(),
                json!({ "memberSid": member, "itemSid": item_id, "quantity": quantity, "reqSid": key }),
            ),
            Act::OpenContract(open) => (
                Method::POST,
                "/api/v1/product".to_owned(),
                json!({ "memberSid": member, "productSid": open.product.id, "saveTrm": open.months,
                    "amount": open.won, "reqSid": key }),
            ),
            Act::PayIntoContract { number, won } => (
                Method::POST,
                "/api/v1/product/payment".to_owned(),
                json!({ "memberSid": member, "acno": number, "amount": won, "reqSid": key }),
            ),
            Act::CloseContract { number, payout } => (
                Method::DELETE,
                "/api/v1/product".to_owned(),
                json!({ "memberSid": member, "acno": number, "payout": payout, "reqSid": key }),
            ),
            Act::Reset => (
                Method::POST,
                format!("/api/v1/invest/reset/member/{member}"),
                json!({ "memberSid": member, "reqSid": key }),
            ),
            Act::JoinCompetition(join) => (
                Method::POST,
                format!("/api/v1/competition/{}/join", join.competition_id),
                json!({ "memberSid": member, "inviteCode": join.invite_code, "reqSid": key }),
            ),
            Act::LeaveCompetition { competition_id } => (
                Method::DELETE,
                format!("/api/v1/competition/{competition_id}/join"),
                json!({ "memberSid": member, "reqSid": key }),
            ),
            Act::CreateLeague { days, cash_won } => (
                Method::POST,
                "/api/v1/competition/league".to_owned(),
                json!({ "memberSid": member, "title": LEAGUE_TITLE, "days": days,
                    "startCash": cash_won, "mostEntrants": LEAGUE_ENTRANTS, "reqSid": key }),
            ),
        };
        match self.call(method, &path, Some(body.to_string())).await {
            Ok((StatusCode::OK, body)) => match reply(&request.act, &body) {
                Some(reply) => Outcome::Final(ActResponse::Done(reply)),
                None => Outcome::Unknown(format!("a reply without its parts: {body}")),
            },
            Ok((status, body)) => match final_reason(status, &body) {
                Ok(reason) => Outcome::Final(ActResponse::Refused(reason)),
                Err(error) => Outcome::Unknown(error),
            },
            Err(error) => Outcome::Unknown(error.to_string()),
        }
    }

    /// Turns the competition mode on or off; `chosen` is 0 for no event.
    pub(crate) async fn set_mode(&self, is_on: bool, chosen: i64) -> Outcome<ModeResponse> {
        let path = format!("/api/v1/member/competition-mode/{}", self.member_id());
        let event = (chosen != 0).then_some(chosen);
        let body = json!({ "competitionMode": is_on, "eventSid": event }).to_string();
        match self.call(Method::PATCH, &path, Some(body)).await {
            Ok((StatusCode::OK, body)) => Outcome::Final(Ok(Mode {
                is_on: body.get("competitionMode").and_then(Value::as_bool) == Some(true),
                competition_id: won(&body, "eventSid").unwrap_or(0),
                account_id: won(&body, "competitionAccountSid").unwrap_or(0),
            })),
            Ok((status, body)) => match final_reason(status, &body) {
                Ok(reason) => Outcome::Final(Err(reason)),
                Err(error) => Outcome::Unknown(error),
            },
            Err(error) => Outcome::Unknown(error.to_string()),
        }
    }
}

fn reply(act: &Act, body: &Value) -> Option<ActReply> {
    Some(match act {
        Act::Transfer { .. } => ActReply::Transferred {
            transfer_id: won(body, "transferSid")?,
            from: text(body, "fromAcno")?,
            to: text(body, "toAcno")?,
            won: won(body, "amount")?,
            from_won: won(body, "fromDeposit")?,
            to_won: won(body, "toDeposit")?,
        },
        Act::CloseAccount { .. } => ActReply::AccountClosed {
            number: text(body, "acno")?,
        },
        Act::BuyItem { .. } => ActReply::Bought {
            purchase_id: won(body, "purchaseSid")?,
            item_id: won(body, "itemSid")?,
            quantity: won(body, "quantity")?.try_into().ok()?,
            spent: won(body, "spent")?,
            owned: won(body, "owned")?,
            won: won(body, "deposit")?,
        },
        Act::OpenContract(_) | Act::PayIntoContract { .. } => {
            let contract = body.get("contract")?;
            ActReply::Contract {
                number: text(contract, "acno")?,
                status: text(contract, "status")?,
                won: won(contract, "amount")?,
                paid_in: won(contract, "paidIn")?,
                payments: won(contract, "paymentsMade")?,
            }
        }
        Act::CloseContract { .. } => {
            let (contract, closed) = (body.get("contract")?, body.get("closed")?);
            ActReply::ContractClosed {
                number: text(contract, "acno")?,
                status: text(contract, "status")?,
                principal: won(closed, "principal")?,
                interest: won(closed, "interest")?,
                taxes: (won(closed, "incomeTax")?, won(closed, "localTax")?),
                payout: won(closed, "payout")?,
                won: won(body, "deposit")?,
            }
        }
        Act::Reset => ActReply::Reset {
            season: won(body, "season")?.try_into().ok()?,
            deposit_won: won(body, "deposit")?,
        },
        Act::JoinCompetition(_) => ActReply::Joined {
            competition_id: won(body, "sid")?,
            number: text(body, "acno")?,
            cash_won: won(body, "startCash")?,
        },
        Act::LeaveCompetition { .. } => ActReply::Left {
            competition_id: won(body, "sid")?,
        },
        Act::CreateLeague { .. } => ActReply::LeagueCreated {
            competition_id: won(body, "sid")?,
            number: text(body, "acno")?,
            invite_code: text(body, "inviteCode")?,
        },
    })
}

fn won(body: &Value, name: &str) -> Option<i64> {
    body.get(name)?.as_i64()
}

fn text(body: &Value, name: &str) -> Option<String> {
    Some(body.get(name)?.as_str()?.to_owned())
}
