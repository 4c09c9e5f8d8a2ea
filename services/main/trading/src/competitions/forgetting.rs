//! Deletes the standings of events that have results: nobody reads them any more. Which events have
//! standings is found by their key, some of them in a step, so that there is little to do where nothing is
//! left.

use sea_orm::{ConnectionTrait, DbErr};

use super::ending::EndingError;
use super::standings;
use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::store::{Store, sql};

/// Events that are looked at in one step.
const COMPETITIONS_PER_STEP: usize = 100;
const DELETIONS_PER_STEP: usize = 10;
const ROWS_PER_DELETION: u64 = 10_000;

impl CompetitionWorker {
    /// Looks at the next events that have standings, and after the last at the first again.
    ///
    /// # Errors
    /// Of the database: what is left goes in the next round.
    pub(super) async fn forget_standings(&mut self) -> Result<(), EndingError> {
        if self.forgotten_on != self.seeded {
            standings::forget_closed(&self.pool).await?;
            self.forgotten_on = self.seeded;
        }
        let found = self.store.with_standings(self.forgotten_to).await?;
        let is_last = found.len() < COMPETITIONS_PER_STEP;
        let mut deletions = 0;
        for (id, is_closed) in found {
            self.forgotten_to = id;
            while is_closed && self.store.delete_standings(id).await? {
                deletions += 1;
                if deletions == DELETIONS_PER_STEP {
                    self.forgotten_to = id - 1;
                    return Ok(());
                }
            }
        }
        if is_last {
            self.forgotten_to = 0;
        }
        Ok(())
    }
}

impl Store {
    /// Events above `after` that have standings, ascending, and whether they are closed.
    async fn with_standings(&self, after: i64) -> Result<Vec<(i64, bool)>, TradingError> {
        // One look-up for each event: all its standings would be many rows.
        let read = sql(
            "with recursive stored (id, place) as ( \
                (select competition_id, 1::bigint from competition_standing \
                    where competition_id > $1 order by competition_id limit 1) \
                union all \
                select (select s.competition_id from competition_standing s \
                    where s.competition_id > stored.id order by s.competition_id limit 1), \
                    place + 1 \
                from stored where id is not null and place < $2) \
             select c.id, c.closed_at is not null as is_closed \
             from stored join competition c on c.id = stored.id order by c.id",
            [
                after.into(),
                i64::try_from(COMPETITIONS_PER_STEP)
                    .unwrap_or(i64::MAX)
                    .into(),
            ],
        );
        let rows = self.db.query_all_raw(read).await?;
        let found = rows
            .iter()
            .map(|row| Ok((row.try_get("", "id")?, row.try_get("", "is_closed")?)));
        Ok(found.collect::<Result<_, DbErr>>()?)
    }

    /// Deletes a slice; whether there may be more.
    async fn delete_standings(&self, competition_id: i64) -> Result<bool, TradingError> {
        let delete = sql(
            "delete from competition_standing where ctid = any(array( \
                select ctid from competition_standing where competition_id = $1 limit $2))",
            [
                competition_id.into(),
                i64::try_from(ROWS_PER_DELETION).unwrap_or(i64::MAX).into(),
            ],
        );
        let deleted = self.db.execute_raw(delete).await?.rows_affected();
        Ok(deleted == ROWS_PER_DELETION)
    }
}
