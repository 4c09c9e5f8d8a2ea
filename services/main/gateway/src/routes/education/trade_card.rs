//! Cards from a member's own trades: what an order, a contract or a holding shows in its own numbers,
//! and its quiz.

mod view;

use actix_web::web;
use proto::education::v1 as education;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use self::view::{CardKind, TradeCard};
use super::quiz::{Quiz, quizzes_of};
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::path::IdPath;
use crate::routes::{Reply, State};
use crate::wire::code::{Acno, Code};
use crate::wire::rows::decode_rows;

#[derive(OpenApi)]
#[openapi(paths(trade_cards, card_quiz))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::Path;
    vec![
        Endpoint::get("/api/v1/education/cards/{id}", Path("id"), trade_cards).extension(),
        Endpoint::post("/api/v1/education/cards/{id}/quiz", Path("id"), card_quiz)
            .class(Class::Read)
            .extension(),
    ]
}

/// At most one of both; without them the newest of each kind.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct CardQuery {
    /// The cards of this order.
    #[param(minimum = 1)]
    order_sid: Option<i64>,
    /// The card of this contract.
    #[param(inline)]
    acno: Option<Acno>,
}

/// Which card: its kind, and what it is about.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CardBody {
    kind: CardKind,
    /// Of a kind of orders.
    #[schema(minimum = 1)]
    order_sid: Option<i64>,
    /// Of EARLY_CLOSE.
    acno: Option<Acno>,
    /// Of CONCENTRATION.
    isu_srt_cd: Option<Code>,
}

/// What the caller's own trades illustrate. A fill or a close becomes a card within a second.
#[utoipa::path(get, path = "/api/v1/education/cards/{id}", tag = "education",
    params(IdPath, CardQuery),
    responses((status = 200, description = "One of each kind.", body = Vec<TradeCard>)))]
async fn trade_cards(
    state: State,
    caller: Caller,
    query: Query<CardQuery>,
) -> Reply<Vec<TradeCard>> {
    let CardQuery { order_sid, acno } = query.0;
    if order_sid.is_some_and(|order| order < 1 || acno.is_some()) {
        return Err(ApiError::field("query", "주문 번호가 올바르지 않아요"));
    }
    let request = education::ListTradeCardsRequest {
        member_id: caller.member_id.0,
        order_id: order_sid.unwrap_or_default(),
        account_no: acno.map_or_else(String::new, String::from),
    };
    let answer = state
        .cards
        .call_idempotent(async |mut cards| cards.list_trade_cards(request.clone()).await)
        .await?;
    Ok(web::Json(decode_rows(answer.cards)))
}

/// Hand out the quiz of a card. It earns no points and is the same on every call of the day.
#[utoipa::path(post, path = "/api/v1/education/cards/{id}/quiz", tag = "education",
    params(IdPath), request_body = CardBody,
    responses((status = 200, description = "The quiz.", body = Vec<Quiz>)))]
async fn card_quiz(state: State, caller: Caller, Json(body): Json<CardBody>) -> Reply<Vec<Quiz>> {
    let request = body.into_request(&caller)?;
    // Idempotent: the first call of a day stores it.
    let set = state
        .cards
        .call_idempotent(async |mut cards| cards.open_card_quiz(request.clone()).await)
        .await?;
    Ok(web::Json(quizzes_of(set)))
}

impl CardBody {
    /// With what the kind is about; anything else in the body does not count.
    fn into_request(self, caller: &Caller) -> Result<education::OpenCardQuizRequest, ApiError> {
        let mut request = education::OpenCardQuizRequest {
            member_id: caller.member_id.0,
            kind: education::CardKind::from(self.kind).into(),
            ..education::OpenCardQuizRequest::default()
        };
        match self.kind {
            CardKind::Slippage
            | CardKind::Exchange
            | CardKind::Waited
            | CardKind::Partial
            | CardKind::Tax
            | CardKind::Fee => {
                let order = self.order_sid.filter(|order| *order > 0);
                request.order_id = order
                    .ok_or_else(|| ApiError::field("orderSid", "주문 번호가 올바르지 않아요"))?;
            }
            CardKind::EarlyClose => {
                let acno = self.acno.map(String::from);
                request.account_no =
                    acno.ok_or_else(|| ApiError::field("acno", "계좌번호를 보내 주세요"))?;
            }
            CardKind::Concentration => {
                let code = self.isu_srt_cd.map(String::from);
                request.instrument_code =
                    code.ok_or_else(|| ApiError::field("isuSrtCd", "종목 코드를 보내 주세요"))?;
            }
        }
        Ok(request)
    }
}
