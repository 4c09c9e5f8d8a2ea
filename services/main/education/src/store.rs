//! The database. Each public method is one transaction.
//!
//! A member's rows change only under the lock of the member's row in `student`, so the cap of a day,
//! the first answer and the streak need no further locks.

mod answers;
mod articles;
mod backlog;
mod cards;
mod concentrations;
mod contract_cards;
mod freezes;
mod grants;
mod progress;
mod quiz_filters;
mod repairs;
mod risks;
mod sets;
mod streaks;
mod student;
mod trade_cards;

use std::sync::Arc;

use chrono::NaiveDate;
use kernel::{Clock, MemberId};
use sqlx::{AssertSqlSafe, PgPool, Postgres, Transaction};

use crate::domain::calendar::previous;
use crate::error::StudyError;
use crate::library::Library;
use student::Student;

pub use answers::{Answer, Graded, GroupedAnswer};
pub use articles::{CompletedArticle, ReadingRow};
pub use backlog::Backlog;
pub use cards::{Card, CardFacts, CardKey, CardQuery};
pub use freezes::BoughtFreezes;
pub use progress::{CalendarRow, Progress, SetProgress, ThemeProgress};
pub use repairs::{NotedRepair, RepairStep};
pub use sets::{HandoutRow, OpenSet, SetKind};
pub use streaks::{RepairOffer, RestDay, StreakView};
pub use student::Totals;

type StudentTransaction = (Transaction<'static, Postgres>, Student);

#[derive(Clone)]
pub struct Store {
    pool: PgPool,
    library: Arc<Library>,
    clock: Arc<dyn Clock>,
}

impl Store {
    #[must_use]
    pub fn new(pool: PgPool, library: Arc<Library>, clock: Arc<dyn Clock>) -> Self {
        Self {
            pool,
            library,
            clock,
        }
    }

    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The current day in Korea.
    #[must_use]
    pub fn today(&self) -> NaiveDate {
        self.clock.today_kst()
    }

    /// Begins a transaction under the lock of `member`, who begins on `today` if they have not yet.
    async fn begin(
        &self,
        member: MemberId,
        today: NaiveDate,
    ) -> Result<StudentTransaction, StudyError> {
        let mut transaction = self.begin_locked(member, today).await?;
        let student = Student::find(&mut transaction, member).await?;
        // The lock has stored the row.
        let student = student.ok_or(sqlx::Error::RowNotFound)?;
        Ok((transaction, student))
    }

    /// As [`Store::begin`] without reading the row, which exists then.
    async fn begin_locked(
        &self,
        member: MemberId,
        today: NaiveDate,
    ) -> Result<Transaction<'static, Postgres>, StudyError> {
        // Two statements in one round trip: one statement would not see the row that it inserts.
        let lock = AssertSqlSafe(format!(
            "insert into student (member_id, judged_on) values ({member}, '{}') \
             on conflict do nothing; \
             select from student where member_id = {member} for update",
            previous(today)
        ));
        let pool = self.pool.clone();
        // A caller that goes away while BEGIN is answered would return the connection to the pool
        // with its transaction open; a task of its own ends it.
        let begun = tokio::spawn(async move {
            let mut transaction = pool.begin().await?;
            sqlx::raw_sql(lock).execute(&mut *transaction).await?;
            Ok(transaction)
        });
        begun.await.map_err(|_ended| sqlx::Error::PoolClosed)?
    }
}
