//! A member's newest orders as far as cards are made from them, and the quizzes of the cards.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Store;
use super::sets::{OpenSet, is_day_done};
use crate::domain::trade_cards::{ASKED_EVERY, CardKind, TradedOrder, newest_of_kinds, outdated};
use crate::error::StudyError;

/// Consumer name in the inbox.
const CONSUMER: &str = "education.order-events";
/// A dead letter that is put back later than that is applied again.
const INBOX_KEPT: TimeDelta = TimeDelta::days(90);
/// Rows of one transaction.
const SLICE: i64 = 1_000;

/// A card as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeCard {
    pub kind: CardKind,
    pub order: TradedOrder,
    /// Its quiz was not answered lately.
    pub is_due: bool,
}

impl Store {
    /// Adds a fill to its order and removes orders that are no longer needed. A repeated event has
    /// no effect.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn note_fill(
        &self,
        event_id: Uuid,
        member: MemberId,
        fill: TradedOrder,
    ) -> Result<(), StudyError> {
        let mut transaction = self.pool.begin().await?;
        let noted = sqlx::query(
            "insert into inbox (consumer, event_id, received_at) values ($1, $2, $3) \
             on conflict do nothing",
        )
        .bind(CONSUMER)
        .bind(event_id)
        .bind(self.clock.now())
        .execute(&mut *transaction)
        .await?;
        if noted.rows_affected() == 0 {
            return Ok(());
        }
        // Locks what follows.
        sqlx::query(
            "insert into trader (member_id, fills) values ($1, 1) \
             on conflict (member_id) do update set fills = trader.fills + 1",
        )
        .bind(member.0)
        .execute(&mut *transaction)
        .await?;
        let mut orders = orders_of(&mut transaction, member).await?;
        let known = orders
            .iter()
            .position(|order| order.order_id == fill.order_id);
        let order = match known {
            Some(index) => orders.swap_remove(index).with(fill),
            None => fill,
        };
        orders.push(order.clone());
        let outdated = outdated(&orders);
        if !outdated.contains(&order.order_id) {
            save(&mut transaction, member, &order).await?;
        }
        if !outdated.is_empty() {
            sqlx::query("delete from traded_order where member_id = $1 and order_id = any($2)")
                .bind(member.0)
                .bind(outdated)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }

    /// The cards of an order, or the newest of each kind.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn trade_cards(
        &self,
        member: MemberId,
        order_id: Option<i64>,
    ) -> Result<Vec<TradeCard>, StudyError> {
        let mut connection = self.pool.acquire().await?;
        let orders = orders_of(&mut connection, member).await?;
        let chosen: Vec<(CardKind, &TradedOrder)> = match order_id {
            None => newest_of_kinds(&orders),
            Some(id) => {
                let order = orders.iter().find(|order| order.order_id == id);
                let kinds = order.into_iter().flat_map(|order| {
                    let kinds = order.kinds().into_iter();
                    kinds.map(move |kind| (kind, order))
                });
                kinds.collect()
            }
        };
        let since = self.clock.now() - ASKED_EVERY;
        let quizzes = chosen.iter().map(|(kind, _)| kind.lesson().quiz.to_owned());
        let asked = answered_since(&mut connection, member, quizzes.collect(), since).await?;
        let cards = chosen.into_iter().map(|(kind, order)| TradeCard {
            kind,
            order: order.clone(),
            is_due: !asked.iter().any(|quiz| quiz == kind.lesson().quiz),
        });
        Ok(cards.collect())
    }

    /// Hands out the quiz of a card, unless it is one of today's reviews; the first call of a day
    /// stores it.
    ///
    /// # Errors
    /// [`StudyError::NotFound`] when the member has no such card.
    pub async fn open_card_quiz(
        &self,
        member: MemberId,
        order_id: i64,
        kind: CardKind,
    ) -> Result<OpenSet, StudyError> {
        let cards = self.trade_cards(member, Some(order_id)).await?;
        let card = cards.into_iter().find(|card| card.kind == kind);
        let quiz = card.ok_or(StudyError::NotFound)?.kind.lesson().quiz;
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
        let is_day_done = is_day_done(&mut transaction, member, today).await?;
        transaction.commit().await?;
        Ok(OpenSet::without_points(
            today,
            handouts,
            &student,
            is_day_done,
        ))
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

async fn orders_of(
    connection: &mut PgConnection,
    member: MemberId,
) -> Result<Vec<TradedOrder>, sqlx::Error> {
    sqlx::query_as("select * from traded_order where member_id = $1")
        .bind(member.0)
        .fetch_all(connection)
        .await
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

async fn save(
    connection: &mut PgConnection,
    member: MemberId,
    order: &TradedOrder,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into traded_order (member_id, order_id, traded_at, instrument_name, category, \
         currency, is_sale, limit_price, filled_quantity, amount_won, fee_won, tax_won, \
         heard_quantity, fills, has_waited, slippage_ticks, slippage_won, exchange_won) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
         on conflict (member_id, order_id) do update set traded_at = excluded.traded_at, \
         limit_price = excluded.limit_price, filled_quantity = excluded.filled_quantity, \
         amount_won = excluded.amount_won, fee_won = excluded.fee_won, \
         tax_won = excluded.tax_won, heard_quantity = excluded.heard_quantity, \
         fills = excluded.fills, has_waited = excluded.has_waited, \
         slippage_ticks = excluded.slippage_ticks, slippage_won = excluded.slippage_won, \
         exchange_won = excluded.exchange_won",
    )
    .bind(member.0)
    .bind(order.order_id)
    .bind(order.traded_at)
    .bind(&order.instrument_name)
    .bind(&order.category)
    .bind(&order.currency)
    .bind(order.is_sale)
    .bind(order.limit_price)
    .bind(order.filled_quantity)
    .bind(order.amount_won)
    .bind(order.fee_won)
    .bind(order.tax_won)
    .bind(order.heard_quantity)
    .bind(order.fills)
    .bind(order.has_waited)
    .bind(order.slippage_ticks)
    .bind(order.slippage_won)
    .bind(order.exchange_won)
    .execute(connection)
    .await?;
    Ok(())
}
