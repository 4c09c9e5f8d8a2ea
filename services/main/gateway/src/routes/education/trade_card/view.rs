//! Cards as clients see them: each with the numbers of what it explains.

use proto::common::v1 as common;
use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::glossary::Term;
use super::super::words::word;
use crate::wire::market::Currency;
use crate::wire::number::Exact;
use crate::wire::order_enums::OrderCategory;
use crate::wire::time::{day, kst};

/// What an order illustrates; EARLY_CLOSE: a contract that was closed before maturity; CONCENTRATION:
/// a purchase after which much of all that the member has is in one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum CardKind {
    Slippage,
    Exchange,
    Waited,
    Partial,
    Tax,
    Fee,
    EarlyClose,
    Concentration,
}

/// What an order illustrates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum OrderCardKind {
    Slippage,
    Exchange,
    Waited,
    Partial,
    Tax,
    Fee,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ContractCardKind {
    EarlyClose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum ConcentrationCardKind {
    Concentration,
}

/// A lesson with the numbers of what it is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum TradeCard {
    Order(OrderCard),
    Contract(ContractCard),
    Concentration(ConcentrationCard),
}

/// The content that explains it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Lesson {
    term: Option<Term>,
    article_sid: String,
    article_title: String,
    article_summary: String,
    /// Its quiz was not answered within the last seven days.
    is_due: bool,
}

/// Of an order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderCard {
    kind: OrderCardKind,
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
    #[serde(flatten)]
    lesson: Lesson,
}

/// Of a contract that was closed before maturity.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContractCard {
    kind: ContractCardKind,
    acno: String,
    name: String,
    /// Won paid in.
    paid_in: i64,
    /// Won before tax.
    interest: i64,
    tax: i64,
    /// Won before tax, if what was paid in had been left until maturity.
    interest_at_maturity: i64,
    opened_on: String,
    closed_on: String,
    matures_on: String,
    #[serde(flatten)]
    lesson: Lesson,
}

/// Of a purchase that left much in one item. Shown for a week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConcentrationCard {
    kind: ConcentrationCardKind,
    isu_srt_cd: String,
    isu_kor_nm: String,
    /// Of all that the member had, in percent.
    percent: Exact,
    /// Won in the item, in all accounts but those of competitions.
    value: i64,
    /// Won in all of these accounts.
    total: i64,
    noticed_at: String,
    #[serde(flatten)]
    lesson: Lesson,
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
            CardKind::EarlyClose => Self::EarlyClose,
            CardKind::Concentration => Self::Concentration,
        }
    }
}

impl TryFrom<education::TradeCard> for TradeCard {
    type Error = InvalidField;

    fn try_from(mut card: education::TradeCard) -> Result<Self, InvalidField> {
        let lesson = Lesson {
            term: card.term.take().map(Term::from),
            article_sid: std::mem::take(&mut card.article_id),
            article_title: std::mem::take(&mut card.article_title),
            article_summary: std::mem::take(&mut card.article_summary),
            is_due: card.is_due,
        };
        let kind = match card.kind() {
            education::CardKind::Slippage => OrderCardKind::Slippage,
            education::CardKind::Exchange => OrderCardKind::Exchange,
            education::CardKind::Waited => OrderCardKind::Waited,
            education::CardKind::Partial => OrderCardKind::Partial,
            education::CardKind::Tax => OrderCardKind::Tax,
            education::CardKind::Fee => OrderCardKind::Fee,
            education::CardKind::EarlyClose => {
                let contract = card.contract.ok_or(InvalidField("contract"))?;
                return ContractCard::new(contract, lesson).map(Self::Contract);
            }
            education::CardKind::Concentration => {
                let noticed = card.concentration.ok_or(InvalidField("concentration"))?;
                return ConcentrationCard::new(noticed, lesson).map(Self::Concentration);
            }
            education::CardKind::Unspecified => return Err(InvalidField("kind")),
        };
        OrderCard::new(kind, card, lesson).map(Self::Order)
    }
}

impl OrderCard {
    fn new(
        kind: OrderCardKind,
        card: education::TradeCard,
        lesson: Lesson,
    ) -> Result<Self, InvalidField> {
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
            lesson,
        })
    }
}

impl ContractCard {
    fn new(contract: education::ClosedContract, lesson: Lesson) -> Result<Self, InvalidField> {
        Ok(Self {
            kind: ContractCardKind::EarlyClose,
            acno: contract.account_no,
            name: contract.name,
            paid_in: contract.paid_in_won,
            interest: contract.interest_won,
            tax: contract.tax_won,
            interest_at_maturity: contract.interest_at_maturity_won,
            opened_on: day(contract.opened_on, "opened_on")?,
            closed_on: day(contract.closed_on, "closed_on")?,
            matures_on: day(contract.matures_on, "matures_on")?,
            lesson,
        })
    }
}

impl ConcentrationCard {
    fn new(noticed: education::Concentration, lesson: Lesson) -> Result<Self, InvalidField> {
        Ok(Self {
            kind: ConcentrationCardKind::Concentration,
            percent: Exact(required(noticed.percent.as_ref(), "percent")?),
            noticed_at: kst(noticed.noticed_at_us, "noticed_at_us")?,
            isu_srt_cd: noticed.instrument_code,
            isu_kor_nm: noticed.instrument_name,
            value: noticed.value_won,
            total: noticed.total_won,
            lesson,
        })
    }
}
