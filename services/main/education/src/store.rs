//! The database. Each public method is one transaction.
//!
//! A member's rows change only under the lock of the member's row in `student`, so the cap of a day,
//! the first answer and the streak need no further locks.

mod answers;
mod articles;
mod freezes;
mod grants;
mod progress;
mod quiz_filters;
mod repairs;
mod sets;
mod streaks;
mod student;
mod trade_cards;

use std::sync::Arc;

use chrono::NaiveDate;
use kernel::Clock;
use sqlx::{PgPool, Postgres, Transaction};

use crate::error::StudyError;
use crate::library::Library;

pub use answers::{Answer, Graded};
pub use articles::{CompletedArticle, ReadingRow};
pub use freezes::BoughtFreezes;
pub use progress::{CalendarRow, Progress, SetProgress, ThemeProgress};
pub use repairs::RepairStep;
pub use sets::{HandoutRow, OpenSet, SetKind};
pub use streaks::{RepairOffer, RestDay, StreakView};
pub use student::Totals;
pub use trade_cards::TradeCard;

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

    async fn begin(&self) -> Result<Transaction<'static, Postgres>, StudyError> {
        Ok(self.pool.begin().await?)
    }
}
