//! Prizes: what the places of an event receive, awarded once when the time for objections is over.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{AccountCode, AccountId, MemberId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::points::credit;
use crate::store::{Store, lock, once, sql};

/// Time for objections, from the end of an event or the publication of its ranks, whichever is later.
pub const OBJECTIONS_FOR: TimeDelta = TimeDelta::days(3);
/// Events that are awarded in one step.
const COMPETITIONS_PER_STEP: i64 = 50;

/// What each of some places receives.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Prize {
    /// RETURN or CALM.
    pub board: String,
    pub first_place: i32,
    pub last_place: i32,
    /// Education points.
    pub points: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Award {
    /// RETURN or CALM.
    pub board: String,
    pub place: i32,
    pub points: i64,
    /// An objection was upheld: nothing was credited.
    pub is_withheld: bool,
}

/// A place with a prize.
#[derive(Clone, Debug, FromQueryResult)]
struct Winner {
    board: String,
    place: i32,
    points: i64,
    member_id: MemberId,
    account_id: AccountId,
    is_withheld: bool,
}

impl CompetitionWorker {
    /// Awards the prizes of events whose time for objections is over.
    pub(super) async fn award_prizes(&self, now: DateTime<Utc>) -> Result<(), TradingError> {
        let read = sql(
            "select id from competition c \
             where award_at <= $1 and awarded_at is null and closed_at is not null \
                and not exists (select from competition_objection \
                    where competition_id = c.id and decided_at is null) \
             order by award_at, id limit $2",
            [now.into(), COMPETITIONS_PER_STEP.into()],
        );
        for row in self.store.db.query_all_raw(read).await? {
            let id: i64 = row.try_get("", "id")?;
            match self.store.award(id, now).await {
                Ok(Some(places)) => tracing::info!(competition = id, places, "Prizes were awarded"),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(competition = id, %error, "Prizes could not be awarded; retrying");
                }
            }
        }
        Ok(())
    }
}

impl Store {
    /// Awards the prizes of an event; returns how many places received one, `None` when another process
    /// was first or an objection came.
    async fn award(
        &self,
        competition_id: i64,
        now: DateTime<Utc>,
    ) -> Result<Option<usize>, TradingError> {
        let transaction = self.db.begin().await?;
        let awarded = self.award_in(&transaction, competition_id, now).await;
        once::end(transaction, awarded).await
    }

    /// Ranks do not change any more, so that the winners are known before they are locked.
    async fn award_in(
        &self,
        transaction: &DatabaseTransaction,
        competition_id: i64,
        now: DateTime<Utc>,
    ) -> Result<Option<usize>, TradingError> {
        let winners = winners(transaction, competition_id).await?;
        let accounts: BTreeSet<AccountId> = winners.iter().map(|one| one.account_id).collect();
        lock::accounts(transaction, &accounts).await?;
        // An objection locks the event too: it is before this, and counts, or it is too late. Locked by
        // a statement of its own, because the next one must see what was filed meanwhile.
        let lock = sql(
            "select from competition where id = $1 for no key update",
            [competition_id.into()],
        );
        transaction.execute_raw(lock).await?;
        let begin = sql(
            "update competition c set awarded_at = $2 \
             where id = $1 and award_at <= $3 and awarded_at is null and closed_at is not null \
                and not exists (select from competition_objection o \
                    where o.competition_id = c.id and o.decided_at is null)",
            [competition_id.into(), self.clock.now().into(), now.into()],
        );
        if transaction.execute_raw(begin).await?.rows_affected() == 0 {
            return Ok(None);
        }
        let mut places = 0;
        for winner in winners {
            let change = if winner.is_withheld {
                None
            } else {
                places += 1;
                Some(self.credit(transaction, competition_id, &winner).await?)
            };
            let insert = sql(
                "insert into competition_award \
                    (competition_id, board, place, member_id, points, point_change_id, awarded_at) \
                 values ($1, $2, $3, $4, $5, $6, $7)",
                [
                    competition_id.into(),
                    winner.board.into(),
                    winner.place.into(),
                    winner.member_id.into(),
                    winner.points.into(),
                    change.into(),
                    self.clock.now().into(),
                ],
            );
            transaction.execute_raw(insert).await?;
        }
        Ok(Some(places))
    }

    async fn credit(
        &self,
        transaction: &DatabaseTransaction,
        competition_id: i64,
        winner: &Winner,
    ) -> Result<i64, TradingError> {
        let key = format!("competition-{competition_id}-{}", winner.board);
        let (account, points) = (winner.account_id, winner.points);
        credit::award(transaction, self.clock.as_ref(), account, points, key).await
    }

    pub(super) async fn prizes(&self, competition_id: i64) -> Result<Vec<Prize>, DbErr> {
        prizes(&self.db, competition_id).await
    }

    pub(super) async fn awards(
        &self,
        competition_id: i64,
        member_id: MemberId,
    ) -> Result<Vec<Award>, DbErr> {
        let read = sql(
            "select board, place, points, point_change_id is null as is_withheld \
             from competition_award where competition_id = $1 and member_id = $2 \
             order by board = 'CALM'",
            [competition_id.into(), member_id.into()],
        );
        Award::find_by_statement(read).all(&self.db).await
    }
}

pub(super) async fn prizes(
    connection: &impl ConnectionTrait,
    competition_id: i64,
) -> Result<Vec<Prize>, DbErr> {
    let read = sql(
        "select board, first_place, last_place, points from competition_prize \
         where competition_id = $1 order by board = 'CALM', first_place",
        [competition_id.into()],
    );
    Prize::find_by_statement(read).all(connection).await
}

async fn winners(
    transaction: &DatabaseTransaction,
    competition_id: i64,
) -> Result<Vec<Winner>, DbErr> {
    let read = sql(
        "select r.board, r.place, p.points, r.member_id, a.id as account_id, \
            exists (select from competition_objection o where o.competition_id = p.competition_id \
                and r.member_id = any(o.withheld_from)) as is_withheld \
         from competition_prize p join competition_rank r on r.competition_id = p.competition_id \
            and r.board = p.board and r.place between p.first_place and p.last_place \
         join account a on a.member_id = r.member_id and a.code = $2 \
         where p.competition_id = $1 order by r.board, r.place",
        [competition_id.into(), AccountCode::Basic.as_str().into()],
    );
    Winner::find_by_statement(read).all(transaction).await
}
