//! The cards of a member, and the quizzes of the cards.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::PgConnection;

use super::Store;
use super::concentrations::newest_concentration;
use super::contract_cards::closed_contract;
use super::sets::OpenSet;
use super::trade_cards::orders_of;
use crate::domain::cards::{ASKED_EVERY, CardKind, ClosedContract, Concentration};
use crate::domain::trade_cards::{OrderCard, TradedOrder, newest_of_kinds};
use crate::error::StudyError;

/// A dead letter that is put back later than that is applied again.
const INBOX_KEPT: TimeDelta = TimeDelta::days(90);
/// Rows of one transaction.
const SLICE: i64 = 1_000;

/// A card as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub facts: CardFacts,
    /// Its quiz was not answered lately.
    pub is_due: bool,
}

/// What a card is about.
#[derive(Clone, Debug, PartialEq)]
pub enum CardFacts {
    EarlyClose(ClosedContract),
    Concentration(Concentration),
    Order(OrderCard, TradedOrder),
}

/// Names a card of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardKey {
    /// The contract's account number.
    EarlyClose(String),
    Concentration(String),
    Order(OrderCard, i64),
}

/// Which cards are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardQuery {
    /// One of each kind.
    Newest,
    /// All of an order.
    Order(i64),
    /// That of a contract, by its account number.
    Contract(String),
}

impl CardFacts {
    #[must_use]
    pub fn kind(&self) -> CardKind {
        match self {
            Self::EarlyClose(_) => CardKind::EarlyClose,
            Self::Concentration(_) => CardKind::Concentration,
            Self::Order(kind, _) => CardKind::Order(*kind),
        }
    }

    fn key(&self) -> CardKey {
        match self {
            Self::EarlyClose(contract) => CardKey::EarlyClose(contract.account_no.clone()),
            Self::Concentration(concentration) => {
                CardKey::Concentration(concentration.instrument_code.clone())
            }
            Self::Order(kind, order) => CardKey::Order(*kind, order.order_id),
        }
    }
}

impl Store {
    /// In the order of the kinds.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn cards(
        &self,
        member: MemberId,
        query: &CardQuery,
    ) -> Result<Vec<Card>, StudyError> {
        let mut connection = self.pool.acquire().await?;
        let facts = self.facts(&mut connection, member, query).await?;
        let since = self.clock.now() - ASKED_EVERY;
        let quizzes = facts
            .iter()
            .map(|one| one.kind().references().quiz.to_owned());
        let asked = answered_since(&mut connection, member, quizzes.collect(), since).await?;
        let cards = facts.into_iter().map(|facts| {
            let quiz = facts.kind().references().quiz;
            Card {
                facts,
                is_due: !asked.iter().any(|answered| answered == quiz),
            }
        });
        Ok(cards.collect())
    }

    async fn facts(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        query: &CardQuery,
    ) -> Result<Vec<CardFacts>, sqlx::Error> {
        match query {
            CardQuery::Newest => {
                let contract = closed_contract(connection, member, None).await?;
                let now = self.clock.now();
                let concentration = newest_concentration(connection, member).await?;
                let concentration = concentration.filter(|newest| newest.is_shown(now));
                let orders = orders_of(connection, member).await?;
                let rare = contract.map(CardFacts::EarlyClose).into_iter();
                let rare = rare.chain(concentration.map(CardFacts::Concentration));
                let newest = newest_of_kinds(&orders).into_iter();
                let newest = newest.map(|(kind, order)| CardFacts::Order(kind, order.clone()));
                Ok(rare.chain(newest).collect())
            }
            CardQuery::Order(id) => {
                let orders = orders_of(connection, member).await?;
                let order = orders.iter().find(|order| order.order_id == *id);
                let kinds = order.into_iter().flat_map(|order| {
                    let kinds = order.kinds().into_iter();
                    kinds.map(move |kind| CardFacts::Order(kind, order.clone()))
                });
                Ok(kinds.collect())
            }
            CardQuery::Contract(account_no) => {
                let contract = closed_contract(connection, member, Some(account_no)).await?;
                Ok(contract.map(CardFacts::EarlyClose).into_iter().collect())
            }
        }
    }

    /// Hands out the quiz of a card, unless it is one of today's reviews; the first call of a day
    /// stores it.
    ///
    /// # Errors
    /// [`StudyError::NotFound`] when the member has no such card.
    pub async fn open_card_quiz(
        &self,
        member: MemberId,
        key: &CardKey,
    ) -> Result<OpenSet, StudyError> {
        let query = match key {
            CardKey::EarlyClose(account_no) => CardQuery::Contract(account_no.clone()),
            CardKey::Concentration(_) => CardQuery::Newest,
            CardKey::Order(_, id) => CardQuery::Order(*id),
        };
        let cards = self.cards(member, &query).await?;
        let card = cards.into_iter().find(|card| card.facts.key() == *key);
        let quiz = card
            .ok_or(StudyError::NotFound)?
            .facts
            .kind()
            .references()
            .quiz;
        let today = self.clock.today_kst();
        let (mut transaction, student) = self.begin(member, today).await?;
        sqlx::query(
            "insert into handout (member_id, kind, edu_id, day, handed_at) \
             select $1, 'CARD', $2, $3, $4 where not exists (select from handout \
             where member_id = $1 and day = $3 and kind = 'REVIEW' and edu_id = $2) \
             on conflict do nothing",
        )
        .bind(member.0)
        .bind(quiz)
        .bind(today)
        .bind(self.clock.now())
        .execute(&mut *transaction)
        .await?;
        let handouts = sqlx::query_as(
            "select * from handout \
             where member_id = $1 and day = $2 and kind in ('REVIEW', 'CARD') and edu_id = $3 \
             order by id limit 1",
        )
        .bind(member.0)
        .bind(today)
        .bind(quiz)
        .fetch_all(&mut *transaction)
        .await?;
        OpenSet::commit_without_points((transaction, student), member, today, handouts).await
    }

    /// Deletes a slice of old inbox entries. Returns whether there may be more.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn forget_events(&self) -> Result<bool, StudyError> {
        let deleted = sqlx::query(
            "delete from inbox where ctid = any(array( \
             select ctid from inbox where received_at < $1 order by received_at limit $2))",
        )
        .bind(self.clock.now() - INBOX_KEPT)
        .bind(SLICE)
        .execute(&self.pool)
        .await?;
        Ok(i64::try_from(deleted.rows_affected()) == Ok(SLICE))
    }
}

/// Those of `quizzes` that the member answered since `since`.
async fn answered_since(
    connection: &mut PgConnection,
    member: MemberId,
    quizzes: Vec<String>,
    since: DateTime<Utc>,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "select distinct edu_id from handout where member_id = $1 and edu_id = any($2) \
         and day >= ($3 at time zone 'Asia/Seoul')::date - 1 and answered_at > $3",
    )
    .bind(member.0)
    .bind(quizzes)
    .bind(since)
    .fetch_all(connection)
    .await
}
