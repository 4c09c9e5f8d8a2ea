//! The kinds of cards, the content that explains each, and what contracts and holdings illustrate.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;

use super::trade_cards::OrderCard;

/// How long a kind is not asked about after its quiz was answered.
pub const ASKED_EVERY: TimeDelta = TimeDelta::days(7);
/// Contracts that are kept of a member: the newest.
pub const KEPT_CONTRACTS: i64 = 5;
/// A share of the total is shown this long; prices make another one of it.
pub const CONCENTRATION_SHOWN: TimeDelta = TimeDelta::days(7);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// A contract was closed before maturity.
    EarlyClose,
    /// After a purchase much of all that the member has is in one item.
    Concentration,
    Order(OrderCard),
}

/// The content that explains a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardReferences {
    pub term: Option<&'static str>,
    pub article: &'static str,
    pub quiz: &'static str,
}

/// A contract that was closed before maturity.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ClosedContract {
    pub account_no: String,
    pub closed_at: DateTime<Utc>,
    pub name: String,
    pub paid_in_won: i64,
    /// Before tax.
    pub interest_won: i64,
    pub tax_won: i64,
    /// Before tax, if what was paid in had been left until maturity.
    pub interest_at_maturity_won: i64,
    pub opened_on: NaiveDate,
    pub closed_on: NaiveDate,
    pub matures_on: NaiveDate,
}

/// How much of all that the member has was in one item.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Concentration {
    pub instrument_code: String,
    pub instrument_name: String,
    pub percent: Decimal,
    pub value_won: i64,
    pub total_won: i64,
    pub noticed_at: DateTime<Utc>,
}

impl CardKind {
    /// In the order in which they are shown: what happens rarely comes first.
    pub const ALL: [Self; 8] = [
        Self::EarlyClose,
        Self::Concentration,
        Self::Order(OrderCard::Slippage),
        Self::Order(OrderCard::Exchange),
        Self::Order(OrderCard::Waited),
        Self::Order(OrderCard::Partial),
        Self::Order(OrderCard::Tax),
        Self::Order(OrderCard::Fee),
    ];

    #[must_use]
    pub fn references(self) -> CardReferences {
        let (term, article, quiz) = match self {
            Self::EarlyClose => (Some("중도해지"), "deposits-4", "deposits-basic-10"),
            Self::Concentration => (Some("분산 투자"), "etf-2", "etf-intro-02"),
            Self::Order(OrderCard::Slippage) => (Some("슬리피지"), "orders-3", "orders-basic-03"),
            Self::Order(OrderCard::Exchange) => (Some("환전 스프레드"), "us-4", "us-basic-04"),
            Self::Order(OrderCard::Waited) => (Some("지정가 주문"), "orders-1", "orders-intro-07"),
            Self::Order(OrderCard::Partial) => (Some("미체결"), "orders-6", "orders-basic-06"),
            Self::Order(OrderCard::Tax) => (Some("증권거래세"), "taxes-1", "taxes-intro-02"),
            Self::Order(OrderCard::Fee) => (None, "taxes-1", "taxes-intro-09"),
        };
        CardReferences {
            term,
            article,
            quiz,
        }
    }
}

impl ClosedContract {
    /// Whether waiting would have brought more, which is what it teaches.
    #[must_use]
    pub fn is_lesson(&self) -> bool {
        self.interest_at_maturity_won > self.interest_won
    }
}

impl Concentration {
    #[must_use]
    pub fn is_shown(&self, now: DateTime<Utc>) -> bool {
        now < self.noticed_at + CONCENTRATION_SHOWN
    }
}
