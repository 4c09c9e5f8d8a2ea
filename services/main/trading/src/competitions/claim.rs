//! Which events a process values next. Whoever claims one notes it in its row, so that no other values it
//! too.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::FromQueryResult;

use super::competition::Competition;
use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::store::sql;

/// Between two valuations of an event.
const VALUED_EVERY: TimeDelta = TimeDelta::seconds(60);
/// Events that are claimed together: as many as a step that is cut off leaves without a board for a minute.
const CLAIMED_AT_ONCE: i64 = 10;

/// Whether an event runs at `$2`.
macro_rules! runs {
    () => {
        "closed_at is null and closing_at is null and not is_canceled \
         and starts_at <= $2 and ends_at > $2"
    };
}

/// Events that are no leagues, of which there are few: they do not wait until thousands of leagues are
/// valued. Those take turns with leagues, as each may have many entrants. Parameters as of [`CLAIM`].
const CLAIM_FIRST: &str = concat!(
    "update competition c set valued_at = $1 where id in (select id from competition \
        where kind in ('OFFICIAL', 'PRACTICE') and ",
    runs!(),
    " and (valued_at is null or valued_at <= $3 or valued_at > $4) \
        order by valued_at nulls first, id limit $5 for no key update skip locked) \
     returning *"
);

/// Parameters: 1 now by the clock of the process; 2 market time; 3 and 4 the instants through and after
/// which a valuation does not count; 5 how many. Each way to be due is a range of the index.
const CLAIM: &str = concat!(
    "update competition set valued_at = $1 where id in (select id from competition \
        where id = any(array( \
            (select id from competition where ",
    runs!(),
    " and valued_at is null order by valued_at nulls first, id limit $5) \
            union all (select id from competition where ",
    runs!(),
    " and valued_at <= $3 order by valued_at nulls first, id limit $5) \
            union all (select id from competition where ",
    runs!(),
    " and valued_at > $4 order by valued_at nulls first, id limit $5))) \
        and ",
    runs!(),
    " and (valued_at is null or valued_at <= $3 or valued_at > $4) \
        order by valued_at nulls first, id limit $5 for no key update skip locked) \
     returning *"
);

impl CompetitionWorker {
    /// Running events whose last valuation is too old, the oldest first; none that was valued since
    /// `begun`. No other process takes them now. Leagues come last, but never twice in a row.
    pub(super) async fn claim(
        &mut self,
        now: DateTime<Utc>,
        begun: DateTime<Utc>,
    ) -> Result<Vec<Competition>, TradingError> {
        if !self.leagues_wait {
            let first = self.claim_by(CLAIM_FIRST, now, begun).await?;
            if !first.is_empty() {
                self.leagues_wait = true;
                return Ok(first);
            }
        }
        let claimed = self.claim_by(CLAIM, now, begun).await?;
        self.leagues_wait = false;
        Ok(claimed)
    }

    async fn claim_by(
        &self,
        statement: &'static str,
        now: DateTime<Utc>,
        begun: DateTime<Utc>,
    ) -> Result<Vec<Competition>, TradingError> {
        let wall = self.store.clock.now();
        let before = begun - TimeDelta::microseconds(1);
        let claim = sql(
            statement,
            [
                wall.into(),
                now.into(),
                before.min(wall - VALUED_EVERY).into(),
                // From a clock that was wrong.
                (wall + VALUED_EVERY).into(),
                CLAIMED_AT_ONCE.into(),
            ],
        );
        let claimed = Competition::find_by_statement(claim);
        Ok(claimed.all(&self.store.db).await?)
    }
}
