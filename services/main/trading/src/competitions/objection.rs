//! Objections to results: a member files one until prizes are awarded, an operator decides.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::competition::{Competition, not_found};
use crate::error::TradingError;
use crate::refusal::Refusal;
use crate::store::{Store, once, sql};

#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Objection {
    pub id: i64,
    pub competition_id: i64,
    pub member_id: MemberId,
    pub text: String,
    pub filed_at: DateTime<Utc>,
    /// `None` before the decision.
    pub is_upheld: Option<bool>,
    /// What the member is told.
    pub answer: Option<String>,
}

impl Store {
    /// Files the member's objection; the same text again finds the first one.
    ///
    /// # Errors
    /// [`TradingError`]: the member has no result in the event, prizes are awarded or it has none, the
    /// member filed another objection, or of the database.
    pub async fn file_objection(
        &self,
        member_id: MemberId,
        competition_id: i64,
        text: &str,
    ) -> Result<Objection, TradingError> {
        let transaction = self.db.begin().await?;
        let filed = self.file_in(&transaction, member_id, competition_id, text);
        let filed = filed.await;
        once::end(transaction, filed).await
    }

    async fn file_in(
        &self,
        transaction: &DatabaseTransaction,
        member_id: MemberId,
        competition_id: i64,
        text: &str,
    ) -> Result<Objection, TradingError> {
        let read = sql(
            "select c.* from competition c join competition_result r on r.competition_id = c.id \
             where c.id = $1 and r.member_id = $2 for share of c",
            [competition_id.into(), member_id.into()],
        );
        let found = Competition::find_by_statement(read);
        let competition = found.one(transaction).await?.ok_or_else(not_found)?;
        let now = self.market_time()?;
        if !competition.takes_objections(now) {
            let message = "이의 제기 기간이 아니에요.";
            return Err(Refusal::new("COMPETITION_OBJECTION_CLOSED", message).into());
        }
        let insert = sql(
            "insert into competition_objection (competition_id, member_id, text, filed_at) \
             values ($1, $2, $3, $4) on conflict (competition_id, member_id) do nothing",
            [
                competition_id.into(),
                member_id.into(),
                text.into(),
                now.into(),
            ],
        );
        transaction.execute_raw(insert).await?;
        let filed = objection_of(transaction, competition_id, member_id).await?;
        let filed = filed.ok_or(DbErr::RecordNotInserted)?;
        if filed.text == text {
            Ok(filed)
        } else {
            let message = "이의 제기는 대회마다 한 번 할 수 있어요.";
            Err(Refusal::conflict("COMPETITION_OBJECTED", message).into())
        }
    }

    pub(super) async fn objection(
        &self,
        competition_id: i64,
        member_id: MemberId,
    ) -> Result<Option<Objection>, DbErr> {
        objection_of(&self.db, competition_id, member_id).await
    }
}

async fn objection_of(
    connection: &impl ConnectionTrait,
    competition_id: i64,
    member_id: MemberId,
) -> Result<Option<Objection>, DbErr> {
    let read = sql(
        "select * from competition_objection where competition_id = $1 and member_id = $2",
        [competition_id.into(), member_id.into()],
    );
    Objection::find_by_statement(read).one(connection).await
}
