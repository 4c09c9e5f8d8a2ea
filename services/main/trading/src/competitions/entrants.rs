//! How many take part in an event.

use std::sync::Arc;

use sea_orm::{ConnectionTrait, DbErr};

use super::competition;
use crate::store::{Store, sql};

impl Store {
    /// Who takes part; some seconds old. Counted once for all who ask at the same time.
    pub(super) async fn entrants(&self, id: i64) -> Result<i64, DbErr> {
        let count = async {
            let count = sql(
                "select count(*) as entrants from competition_entry \
                 where competition_id = $1 and left_at is null",
                [id.into()],
            );
            let row = self.db.query_one_raw(count).await?;
            row.map_or(Ok(0), |row| row.try_get("", "entrants"))
        };
        let entrants = self.entrants.try_get_with(id, count).await;
        entrants.map_err(|error: Arc<DbErr>| DbErr::Custom(error.to_string()))
    }

    /// After a change. Counting the entrants of a small event again costs little; of a large one nobody
    /// sees the difference.
    pub(super) async fn forget_entrants(&self, id: i64) -> Result<(), DbErr> {
        let found = competition::find(&self.db, id).await?;
        if found.is_some_and(|found| found.most_entrants.is_some()) {
            self.entrants.invalidate(&id).await;
        }
        Ok(())
    }
}
