//! Cards from a member's own trades: what an order shows in its own numbers, and its quiz.

use actix_web::web;
use proto::common::v1 as common;
use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::glossary::Term;
use super::quiz::{Quiz, quizzes_of};
use super::words::word;
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::path::IdPath;
use crate::state::AppState;
use crate::wire::market::Currency;
use crate::wire::number::Exact;
use crate::wire::order_enums::OrderCategory;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;

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

/// What an order illustrates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum CardKind {
    Slippage,
    Exchange,
    Waited,
    Partial,
    Tax,
    Fee,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct OrderQuery {
    /// The cards of this order; absent = the newest of each kind.
    #[param(minimum = 1)]
    order_sid: Option<i64>,
}

/// Which card.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CardBody {
    #[schema(minimum = 1)]
    order_sid: i64,
    kind: CardKind,
}

/// A lesson with the numbers of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TradeCard {
    kind: CardKind,
    order_sid: i64,
    isu_kor_nm: String,
    order_category: OrderCategory,
    is_sale: bool,
    /// Of the newest fill.
    traded_at: String,
    /// Slippage, exchange spread, tax or fee of the order, as its receipt has them; of WAITED and
    /// PARTIAL the filled amount.
    won: i64,
    /// The most of one fill.
    slippage_ticks: i32,
    fill_count: i32,
    filled_qty: Exact,
    /// Of a limit order, in `currency`.
    limit_prc: Option<Exact>,
    currency: Currency,
    term: Option<Term>,
    article_sid: String,
    article_title: String,
    article_summary: String,
    /// Its quiz was not answered within the last seven days.
    is_due: bool,
}

/// What the caller's own orders illustrate. A fill becomes a card within a second.
#[utoipa::path(get, path = "/api/v1/education/cards/{id}", tag = "education",
    params(IdPath, OrderQuery),
    responses((status = 200, description = "One of each kind.", body = Vec<TradeCard>)))]
async fn trade_cards(
    state: web::Data<AppState>,
    caller: Caller,
    query: Query<OrderQuery>,
) -> Result<web::Json<Vec<TradeCard>>, ApiError> {
    if query.0.order_sid.is_some_and(|order| order < 1) {
        return Err(ApiError::field("query", "주문 번호가 올바르지 않아요"));
    }
    let request = education::ListTradeCardsRequest {
        member_id: caller.member_id.0,
        order_id: query.0.order_sid.unwrap_or_default(),
    };
    let answer = state
        .cards
        .call_idempotent(async |mut cards| cards.list_trade_cards(request).await)
        .await?;
    Ok(web::Json(decode_rows(answer.cards)))
}

/// Hand out the quiz of a card. It earns no points and is the same on every call of the day.
#[utoipa::path(post, path = "/api/v1/education/cards/{id}/quiz", tag = "education",
    params(IdPath), request_body = CardBody,
    responses((status = 200, description = "The quiz.", body = Vec<Quiz>)))]
async fn card_quiz(
    state: web::Data<AppState>,
    caller: Caller,
    Json(body): Json<CardBody>,
) -> Result<web::Json<Vec<Quiz>>, ApiError> {
    if body.order_sid < 1 {
        return Err(ApiError::field("orderSid", "주문 번호가 올바르지 않아요"));
    }
    let request = education::OpenCardQuizRequest {
        member_id: caller.member_id.0,
        order_id: body.order_sid,
        kind: education::CardKind::from(body.kind).into(),
    };
    // Idempotent: the first call of a day stores it.
    let set = state
        .cards
        .call_idempotent(async |mut cards| cards.open_card_quiz(request).await)
        .await?;
    Ok(web::Json(quizzes_of(set)))
}

impl From<CardKind> for education::CardKind {
    fn from(kind: CardKind) -> Self {
        match kind {
            CardKind::Slippage => Self::Slippage,
            CardKind::Exchange => Self::Exchange,
            CardKind::Waited => Self::Waited,
            CardKind::Partial => Self::Partial,
            CardKind::Tax => Self::Tax,
            CardKind::Fee => Self::Fee,
        }
    }
}

impl TryFrom<education::TradeCard> for TradeCard {
    type Error = InvalidField;

    fn try_from(card: education::TradeCard) -> Result<Self, InvalidField> {
        let kind = match card.kind() {
            education::CardKind::Slippage => CardKind::Slippage,
            education::CardKind::Exchange => CardKind::Exchange,
            education::CardKind::Waited => CardKind::Waited,
            education::CardKind::Partial => CardKind::Partial,
            education::CardKind::Tax => CardKind::Tax,
            education::CardKind::Fee => CardKind::Fee,
            education::CardKind::Unspecified => return Err(InvalidField("kind")),
        };
        Ok(Self {
            kind,
            currency: match card.currency() {
                common::Currency::Krw => Currency::Krw,
                common::Currency::Usd => Currency::Usd,
                common::Currency::Unspecified => return Err(InvalidField("currency")),
            },
            order_sid: card.order_id,
            isu_kor_nm: card.instrument_name,
            order_category: word(&card.category, "category")?.ok_or(InvalidField("category"))?,
            is_sale: card.is_sale,
            traded_at: kst(card.traded_at_us, "traded_at_us")?,
            won: card.won,
            slippage_ticks: card.slippage_ticks,
            fill_count: card.fills,
            filled_qty: Exact(required(card.filled_quantity.as_ref(), "filled_quantity")?),
            limit_prc: optional(card.limit_price.as_ref(), "limit_price")?.map(Exact),
            term: card.term.map(Term::from),
            article_sid: card.article_id,
            article_title: card.article_title,
            article_summary: card.article_summary,
            is_due: card.is_due,
        })
    }
}
